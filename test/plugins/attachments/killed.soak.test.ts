import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { ann, bytesOf, list, openAttachments, sendForm, serviceOf, upload } from "./attachments_app.ts";

const HOURS = 72 * 3_600_000;

for (const database of await databases({ withPostgres: true, byCommands: true })) {
  describe(`Files of a process that was killed, on ${database.name}`, (it) => {
    const can = (sentence: string, story: Parameters<typeof withApp>[0]) =>
      it.unless(database.skip, sentence, () => withApp(story));
    async function withApp(story: (app: Awaited<ReturnType<typeof openAttachments>>) => Promise<void>): Promise<void> {
      const app = await openAttachments({}, await database.values());
      try {
        await story(app);
      } finally {
        await app.close();
        await database.clean();
      }
    }
    /** From now on the process does nothing more with a file once its bytes are stored, as one that is killed then, until it is released. */
    const killedAfterPut = (app: Parameters<typeof serviceOf>[0], isHit: (type: string) => boolean) => {
      const storage = app.application.kernel.service("storage");
      const { put } = storage;
      const keys: string[] = [];
      let release!: () => void;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      storage.put = async (...given) => {
        const stored = await put.apply(storage, given);
        if (!isHit(given[0].type) || given[1]?.temporary) return stored;
        keys.push(stored.key);
        await held;
        return stored;
      };
      const restart = () => {
        storage.put = put;
      };
      return { storage, keys, restart, release };
    };
    const until = async (isDone: () => boolean | Promise<boolean>) => {
      for (let tries = 0; tries < 200 && !(await isDone()); tries++) await new Promise((done) => setTimeout(done, 25));
      assert.ok(await isDone());
    };

    can("Bytes that were stored before their row said so are named by one, and swept", async (app) => {
      const { knex } = databaseOf(app.application);
      const { storage, keys, restart, release } = killedAfterPut(app, (type) => type === "text/plain");
      const page = `${list}/new`;
      const sending = sendForm(app.client(), { page, headers: ann }, [
        ["shipment[reference]", "NEW"],
        ["shipment[plan][new][]", upload("A plan", "plan.txt", "text/plain")],
      ]);
      sending.catch(() => undefined);
      await until(() => keys.length === 1);
      restart();
      const rows = await knex("framewright_attachments");
      assert.equal(
        rows.map(({ storage_key, owner_id, detached_at }) => [storage_key, owner_id, detached_at === null]),
        [[keys[0], "", false]],
      );
      assert.ok(await storage.exists(keys[0]!));
      await serviceOf(app).sweep();
      assert.ok(await storage.exists(keys[0]!), "a request may still be writing");
      await later(() => serviceOf(app).sweep());
      assert.equal([await storage.exists(keys[0]!), await knex("framewright_attachments")], [false, []]);
      release();
      await sending.catch(() => undefined);
    });

    can(
      "Bytes of a transaction that never ended are named by a row where the database has a connection for it",
      async (app) => {
        const database = databaseOf(app.application);
        const { knex } = database;
        const { storage } = killedAfterPut(app, () => false);
        await sendForm(app.client(), { page: `${list}/new`, headers: ann }, [["shipment[reference]", "NEW"]]);
        const Shipment = database.models().find(({ constant }) => constant === "Shipment")!.class;
        const record = (await database.query(Shipment).first()) as never;
        const file = { filename: "plan.txt", bytes: Buffer.from("A plan") };
        let kill!: () => void;
        let key = "";
        const killed = new Promise<void>((_, reject) => {
          kill = () => reject(new Error("killed"));
        });
        const writing = database.transaction(async (transaction) => {
          key = (await serviceOf(app).attach(record, "plan", file, { transaction })).storage_key;
          await killed;
        });
        writing.catch(() => undefined);
        await until(() => key !== "");
        assert.ok(await storage.exists(key));
        if (database.besides) {
          const [row] = await knex("framewright_attachments");
          assert.equal([row.storage_key, row.owner_id, row.detached_at === null], [key, "", false]);
        }
        kill();
        await writing.catch(() => undefined);
        await until(async () => !(await storage.exists(key)));
        assert.equal(await knex("framewright_attachments"), []);
        const kept = await database.transaction((transaction) =>
          serviceOf(app).attach(record, "plan", file, { transaction }),
        );
        await later(() => serviceOf(app).sweep());
        assert.ok(await storage.exists(kept.storage_key));
        assert.equal(
          (await serviceOf(app).of(record)).map(({ name }) => name),
          ["plan.txt"],
        );
        assert.is((await knex("framewright_attachments")).length, 1);
      },
    );

    can("Thumbnails that were stored are named by their file, and drawn again", async (app) => {
      const { knex } = databaseOf(app.application);
      const { storage, keys, restart, release } = killedAfterPut(app, (type) => type === "image/webp");
      const page = `${list}/new`;
      await sendForm(app.client(), { page, headers: ann }, [
        ["shipment[reference]", "NEW"],
        ["shipment[cover][new][]", upload(bytesOf("red.png"), "red.png", "image/png")],
      ]);
      await until(() => keys.length === 1);
      const [row] = await knex("framewright_attachments");
      assert.equal([row.thumbnails, row.large_key], ["waiting", keys[0]]);
      const own = `${list}/${row.owner_id}`;
      const body = await (
        await app.client().request(`${own}.json`, { headers: { ...ann, accept: "application/json" } })
      ).json();
      const shown = JSON.stringify(body);
      assert.match(shown, '"thumbnails":null');
      const at = `${own}/files/cover/${row.id}/large`;
      assert.is((await app.client().request(at, { headers: ann })).status, 404);
      restart();
      const { background } = serviceOf(app) as unknown as { background: { process(id: number): Promise<void> } };
      await background.process(Number(row.id));
      const [drawn] = await knex("framewright_attachments");
      assert.is(drawn.thumbnails, "ready");
      assert.not.equal(drawn.large_key, keys[0]);
      assert.is(await storage.exists(keys[0]!), false);
      assert.is((await app.client().request(at, { headers: ann })).status, 200);
      release(); // the first goes on after all, and finds that it is late
      await serviceOf(app).drain();
      assert.is((await app.client().request(at, { headers: ann })).status, 200);
    });
  });
}

async function later(work: () => Promise<void>): Promise<void> {
  const { now } = Date;
  Date.now = () => now() + HOURS;
  try {
    await work();
  } finally {
    Date.now = now;
  }
}
