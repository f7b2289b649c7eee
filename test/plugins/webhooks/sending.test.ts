import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants, signedIn } from "../scoping/tenants.ts";
import {
  hooksOf,
  names,
  optionsOf,
  post,
  Receiver,
  type Sent,
  Story,
  type Tried,
  webhookFiles,
} from "./webhooks_app.ts";

for (const database of await databases({ withPostgres: true })) {
  describe(`What receivers of webhooks do, on ${database.name}`, (it, { before, after }) => {
    let story: Story;
    let receiver: Receiver;
    if (database.skip === undefined) {
      before(async () => {
        receiver = await Receiver.open();
        const app = await openTenants(
          webhookFiles(optionsOf("concurrency: 6, concurrencyPerWebhook: 2")),
          await database.values(),
        );
        story = new Story(app, await signedIn(app));
      });
      after(async () => {
        await story.app.close();
        await receiver.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const touch = async (title: string, id = 1) =>
      assert.is((await story.send("ann", post(1, id), { post: { title } }, "PATCH")).status, 200);
    const newest = async (path: string): Promise<Sent> => (await story.sent("ann", path))[0]!;
    const triesOf = async (path: string, { id }: Sent): Promise<Tried[]> =>
      (await story.send("ann", `${path}/deliveries/${id}`)).body.data.tries;
    const remove = (path: string) => story.send("ann", path, undefined, "DELETE");
    /** The first attempt at a webhook, and what came of it. */
    const attempt = async (url: string): Promise<[Sent, Tried]> => {
      const hook = await story.create("ann", url, ["post.updated"]);
      await story.send("ann", `${hook.path}/test`, {});
      await story.work();
      const sent = await newest(hook.path);
      const [tried] = await triesOf(hook.path, sent);
      await remove(hook.path);
      return [sent, tried!];
    };

    can(
      "Errors, redirects, silence and endless answers are tried again, and nothing of them is read for long",
      async () => {
        receiver.at("/500", (_, response) => void response.writeHead(500).end(`broken \0 <b>${"x".repeat(5000)}`));
        receiver.at(
          "/302",
          (_, response) => void response.writeHead(302, { location: receiver.url("/elsewhere") }).end(),
        );
        receiver.at("/silent", () => undefined);
        receiver.at("/reset", (request) => void request.socket.destroy());
        receiver.at("/garbage", (request) => void request.socket.end("no http\r\n\r\n"));
        const expected: readonly (readonly [path: string, status: number | null, failure: string])[] = [
          ["/500", 500, "status"],
          ["/302", 302, "redirect"],
          ["/silent", null, "time"],
          ["/reset", null, "connection"],
          ["/garbage", null, "answer"],
        ];
        for (const [path, status, failure] of expected) {
          const [sent, tried] = await attempt(receiver.url(path));
          assert.equal([sent.state, sent.attempts, tried.status, tried.failure], ["waiting", 1, status, failure], path);
          const seconds = (new Date(sent.next_at!).getTime() - Date.now()) / 1000;
          assert.ok(seconds > 2 && seconds < 13, `${path}: ${seconds}`);
          if (path === "/500") assert.is(tried.answer, `broken  <b>${"x".repeat(1012)}`);
          if (path === "/silent")
            assert.ok(tried.milliseconds >= 900 && tried.milliseconds < 3000, String(tried.milliseconds));
        }
        assert.equal(receiver.of("/elsewhere"), []);
        let closed = 0;
        const drip = (response: import("node:http").ServerResponse, every: number, size: number) => {
          response.writeHead(200);
          const timer = setInterval(() => response.write("d".repeat(size)), every);
          response.on("close", () => {
            closed++;
            clearInterval(timer);
          });
        };
        receiver.at("/drip", (_, response) => drip(response, 50, 1));
        receiver.at("/flood", (_, response) => drip(response, 0, 60_000));
        for (const path of ["/drip", "/flood"]) {
          const [sent, tried] = await attempt(receiver.url(path));
          assert.equal([sent.state, tried.status, tried.failure], ["delivered", 200, null], path);
          assert.ok(tried.milliseconds < 3000 && tried.answer!.length <= 1024, path);
        }
        assert.is(closed, 2);
      },
    );

    can(
      "It is tried ten times within about a day under one id, then it is dead, and is sent again by a person",
      async () => {
        const hook = await story.create("ann", receiver.url("/down"), ["post.updated"]);
        receiver.at("/down", 503);
        await touch("Down");
        await story.work();
        const waits: number[] = [];
        for (let tries = 1; (await newest(hook.path)).state === "waiting" && tries < 20; tries++) {
          const { next_at, attempts } = await newest(hook.path);
          assert.is(attempts, tries);
          waits.push((new Date(next_at!).getTime() - Date.now()) / 3_600_000);
          await story.later();
        }
        const dead = await newest(hook.path);
        assert.equal([dead.state, dead.reason, dead.attempts, waits.length], ["dead", "status", 10, 9]);
        const hours = waits.reduce((sum, one) => sum + one, 0);
        assert.ok(hours > 20 && hours < 34, String(hours));
        assert.is((await triesOf(hook.path, dead)).length, 10);
        assert.match((await story.page("ann", hook.path)).text, "Send all failed again");
        receiver.at("/down", 200);
        assert.equal((await story.send("ann", `${hook.path}/replay`, {})).body.data, { sent: 1 });
        await story.work();
        const replay = `${hook.path}/deliveries/${dead.id}/replay`;
        assert.equal(
          [(await newest(hook.path)).state, (await story.send("ann", replay, {})).status],
          ["delivered", 202],
        );
        await story.work();
        const ids = receiver.of("/down").map(({ headers }) => headers["webhook-id"]);
        assert.equal([ids.length, new Set(ids).size, ids[0]], [12, 1, dead.message]);
        await remove(hook.path);
      },
    );

    can("What waits for its next attempt is sent at once where a person wants it", async () => {
      const hook = await story.create("ann", receiver.url("/soon"), ["post.updated"]);
      receiver.at("/soon", 503);
      await touch("Soon");
      await story.work();
      const waiting = await newest(hook.path);
      assert.equal([waiting.state, waiting.attempts], ["waiting", 1]);
      assert.match((await story.page("ann", `${hook.path}/deliveries/${waiting.id}`)).text, "Send again");
      receiver.at("/soon", 200);
      const now = await story.send("ann", `${hook.path}/deliveries/${waiting.id}/replay`, {});
      assert.equal([now.status, now.body.data], [202, { sent: 1 }]);
      await story.work();
      assert.is((await newest(hook.path)).state, "delivered");
      await remove(hook.path);
    });

    can("410 disables it, and so do days of failures; its owner is notified, and enables it again", async () => {
      const hook = await story.create("ann", receiver.url("/gone"), ["post.updated"]);
      receiver.at("/gone", 410);
      await touch("Gone");
      await story.work();
      await touch("Gone for long");
      await story.work();
      const shown = (await story.send("ann", hook.path)).body.data;
      assert.equal([shown.state, shown.disabled, shown.deliveries.length], ["disabled", "gone", 1]);
      assert.match((await story.page("ann", hook.path)).text, "The receiver answered 410");
      for (const path of ["test", "replay"])
        assert.is((await story.send("ann", `${hook.path}/${path}`, {})).status, 409, path);
      const notified = () =>
        story.knex("framewright_notifications").where({ owner_id: "1" }).select("title", "url", "tenant");
      const notice = { title: "A webhook was disabled", url: hook.path, tenant: "organizations/1" };
      assert.equal(await notified(), [notice]);
      const [mail] = story.app.application.kernel.service("mailer").kept.slice(-1);
      assert.equal([mail!.to, mail!.subject], ["ann@example.test", "A webhook was disabled"]);
      assert.match(mail!.text, hook.path);
      assert.is((await story.send("ann", `${hook.path}/enable`, {})).body.data.state, "enabled");
      receiver.at("/gone", 500);
      await touch("Failing");
      await story.work();
      const since = new Date(Date.now() - 6 * 86_400_000).toISOString().replace("T", " ").replace("Z", "");
      await story.knex("framewright_webhooks").where({ id: hook.id }).update({ failing_since: since });
      await touch("Failing, and more"); // waits behind the first
      await story.later();
      const now = (await story.send("ann", hook.path)).body.data;
      assert.equal([now.state, now.disabled], ["disabled", "failing"]);
      assert.equal(
        now.deliveries.map(({ state }) => state),
        ["dead", "dead", "dead"],
      );
      assert.is((await notified()).length, 2);
      receiver.at("/gone", 204);
      await story.send("ann", `${hook.path}/enable`, {});
      await story.send("ann", `${hook.path}/replay`, {});
      await story.work();
      assert.equal(
        (await story.sent("ann", hook.path)).map(({ state }) => state),
        ["delivered", "delivered", "delivered"],
      );
      assert.is((await story.send("ann", hook.path)).body.data.failing_since, null);
      await remove(hook.path);
    });

    can(
      "The changes of one record arrive in their order, whatever fails; others do not wait for it, nor for a slow receiver",
      async () => {
        const slow = await story.create("ann", receiver.url("/slow"), ["post.updated"]);
        const hook = await story.create("ann", receiver.url("/order"), ["post.updated"]);
        receiver.at("/slow", () => undefined);
        receiver.at("/order", (_, response, { json }) => {
          const isFirst =
            json.data.id === "1" && receiver.of("/order").filter((one) => one.json.data.id === "1").length < 3;
          response.writeHead(isFirst ? 500 : 200).end();
        });
        const { body } = await story.send("ann", "/customer/1/posts", {
          post: { title: "Other", status: "live", author: 1 },
        });
        const other = body.data.id;
        const start = performance.now();
        for (const title of ["One", "Two", "Three"]) await touch(title);
        for (const title of ["Four", "Five"]) await touch(title, other);
        const stored = async () =>
          (await story.sent("ann", hook.path)).filter(({ state }) => state === "delivered").length;
        while ((await stored()) < 2 && performance.now() - start < 5000)
          await story.app.application.kernel.service("jobs").drain();
        assert.equal(await stored(), 2);
        await story.work();
        for (let left = 3; left > 0; left--) await story.later();
        const delivered = (await story.sent("ann", hook.path)).reverse();
        const order = (key: string) => {
          const ids = receiver
            .of("/order")
            .filter(({ json }) => json.data.id === key)
            .map(({ headers }) => headers["webhook-id"]);
          return [...new Set(ids)];
        };
        for (const key of ["1", String(other)])
          assert.equal(
            order(key),
            delivered.filter(({ record }) => record === key).map(({ message }) => message),
          );
        assert.equal([...new Set(delivered.map(({ state }) => state))], ["delivered"]);
        for (const { path } of [hook, slow]) await remove(path);
      },
    );

    can(
      "Addresses that are not on the internet are refused, by whichever text, name or answer of a resolver they come",
      async () => {
        const refused = [
          "127.0.0.2",
          "2130706434",
          "0x7f.2",
          "0.0.0.0",
          "10.0.0.1",
          "100.64.0.1",
          "100.100.100.200",
          "169.254.169.254",
          "172.16.0.1",
        ];
        refused.push("192.168.0.1", "192.0.0.192", "168.63.129.16", "198.18.0.1", "224.0.0.1", "255.255.255.255");
        const v6 = [
          "::",
          "::1",
          "::ffff:127.0.0.1",
          "::ffff:10.0.0.1",
          "::ffff:8.8.8.8",
          "::127.0.0.1",
          "fc00::1",
          "fd00:ec2::254",
          "fe80::1",
          "ff02::1",
        ];
        v6.push(
          "64:ff9b::a00:1",
          "64:ff9b:1::a00:1",
          "2002:a00:1::1",
          "2001::1",
          "2001:db8::1",
          "100::1",
          "fec0::1",
          "::ffff:0:127.0.0.1",
        );
        for (const host of [...refused, ...v6.map((one) => `[${one}]`)]) {
          const answer = await story.send("ann", hooksOf(), { url: `https://${host}/`, events: ["post.updated"] });
          assert.equal([answer.status, Object.keys(answer.body.errors ?? {})], [422, ["url"]], host);
        }
        for (const url of ["http://8.8.8.8/", "https://8.8.8.8:22/", "https://8.8.8.8:6379/"])
          assert.is((await story.send("ann", hooksOf(), { url, events: ["post.updated"] })).status, 422, url);
        for (const address of ["10.0.0.1", "169.254.169.254", ...v6]) {
          names.set("inside.example", () => address);
          assert.is((await attempt("https://inside.example/"))[1].failure, "address", address);
        }
        names.set("both.example", () => ["127.0.0.1", "10.0.0.1"]);
        assert.is((await attempt(receiver.url("/both", "both.example")))[1].failure, "address");
        assert.is((await attempt("https://nowhere.example/"))[1].failure, "name");
        assert.equal(receiver.of("/both"), []);
      },
    );

    can(
      "A name is resolved at each attempt, and the address that was checked is the one that is connected to",
      async () => {
        let resolved = 0;
        names.set("rebinding.example", () => (++resolved === 1 ? "127.0.0.1" : "10.0.0.1"));
        const hook = await story.create("ann", receiver.url("/rebinding", "rebinding.example"), ["post.updated"]);
        receiver.at("/rebinding", 500);
        await story.send("ann", `${hook.path}/test`, {});
        await story.work();
        assert.equal([resolved, receiver.of("/rebinding").length], [1, 1]);
        assert.is(receiver.of("/rebinding")[0]!.headers.host, `rebinding.example:${receiver.port}`);
        await story.later();
        const [tried] = await triesOf(hook.path, await newest(hook.path));
        assert.equal([resolved, tried!.failure, receiver.of("/rebinding").length], [2, "address", 1]);
        await remove(hook.path);
      },
    );

    can(
      "What the receiver answers is shown to whom the message was for alone, and old messages are pruned by a job",
      async () => {
        const hook = await story.create("ann", receiver.url("/echo"), ["post.updated"]);
        receiver.at("/echo", (_, response, { body }) => void response.writeHead(200).end(body));
        await touch("Sealed");
        await story.work();
        const { id } = await newest(hook.path);
        const at = `${hook.path}/deliveries/${id}`;
        assert.match((await story.send("ann", at)).text, "Sealed");
        assert.match((await story.page("ann", at)).text, "Sealed");
        for (const { status, text } of [await story.send("cat", at), await story.page("cat", at)]) {
          assert.is(status, 200);
          assert.not.match(text, "Sealed");
        }
        assert.is((await story.send("cat", hook.path, { description: "Mine" }, "PATCH")).status, 200);
        for (const { status, text } of [await story.send("cat", at), await story.page("cat", at)]) {
          assert.is(status, 200);
          assert.not.match(text, "Sealed", "what was answered before somebody took it over");
        }
        assert.is((await story.send("ann", hook.path, {}, "PATCH")).status, 200);
        await touch("Open");
        await story.work();
        receiver.at("/echo", (_, response, { body }) => {
          const taken = story.send("cat", hook.path, { description: "While it was sent" }, "PATCH");
          void taken.then(() => response.writeHead(200).end(body));
        });
        await touch("Sealed");
        await story.work();
        const [late] = await story.sent("cat", hook.path);
        assert.match(receiver.of("/echo").at(-1)!.body, "Sealed");
        assert.is(late!.state, "delivered");
        const shown = await story.send("cat", `${hook.path}/deliveries/${late!.id}`);
        assert.is(shown.status, 200);
        assert.not.match(shown.text, "Sealed", "what is answered while somebody takes it over");
        receiver.at("/echo", 204);
        await story.knex("framewright_webhook_deliveries").where("id", ">", id).delete();
        await story.knex("framewright_webhook_tries").where("delivery_id", ">", id).delete();
        const before = "2026-01-01 00:00:00.000";
        await story.knex("framewright_webhook_deliveries").where({ id }).update({ created_at: before });
        await story.send("ann", `${hook.path}/test`, {});
        await story.work();
        await story.app.application.kernel.service("jobs").enqueue("webhooks.prune", {});
        await story.work();
        assert.is((await story.send("ann", at)).status, 404);
        assert.equal([(await story.sent("ann", hook.path)).length, await tries()], [1, 1]);
        await remove(hook.path);
        assert.is(await tries(), 0);
      },
    );
    const tries = async () => (await story.knex("framewright_webhook_tries").select("id")).length;
  });
}
