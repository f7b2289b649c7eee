import { isLocal, type RequestContext } from "framewright/host";
import { writeApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { link, type MailApp, mailFiles, openMails } from "./support.ts";

const config = `import { definePlugins } from "framewright/kernel"; import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n"; import { jobs } from "framewright/plugins/jobs";
import { mailer } from "framewright/plugins/mailer"; import { views } from "framewright/plugins/views";
export default definePlugins([database(), i18n(), views(), jobs(), mailer()]);`;

async function withMails(
  tell: (app: MailApp) => Promise<void>,
  values: Record<string, string> = {},
  files: Record<string, string> = {},
): Promise<void> {
  const app = await openMails(values, {}, files);
  try {
    await tell(app);
  } finally {
    await app.close();
  }
}
const paths = [
  "/_fw/mails",
  "/_fw/mails/1",
  "/_fw/mails/1/html",
  "/_fw/mails/1/attachments/0",
  "/_fw/mails.json",
  "/_fw/mails/1.json",
];

/** Everything of an answer that could tell two apart. */
async function bytes(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return JSON.stringify([answer.status, headers, await answer.text()]);
}

describe("Mails without SMTP_ADDRESS", (it) => {
  it("The last 100 mails are kept in the test environment without SMTP_ADDRESS", () =>
    withMails(async (app) => {
      const mailer = app.application.kernel.service("mailer");
      for (let n = 1; n <= 103; n++) await mailer.send({ to: "ada@example.com", subject: `No ${n}`, text: "x" });
      assert.is(mailer.kept.length, 100);
      assert.is(mailer.kept[0]?.subject, "No 4");
      assert.is(mailer.kept.at(-1)?.id, 103);
    }));

  it("A file that came with a mail is downloaded from its page, by this machine alone", () =>
    withMails(async (app) => {
      const mailer = app.application.kernel.service("mailer");
      const file = { filename: "a <b>.html", content: "<script>1</script>", type: "text/html" };
      await mailer.send({ to: "ada@example.com", subject: "Bill", text: "x", attachments: [file] });
      const page = await (await app.request("/_fw/mails/1")).text();
      assert.match(page, '<a href="/_fw/mails/1/attachments/0">a &lt;b&gt;.html</a>');
      const [listed] = (await (await app.request("/_fw/mails.json")).json()) as { attachments: unknown }[];
      assert.equal(listed?.attachments, [{ filename: "a <b>.html", type: "text/html", size: 18 }]);
      const answer = await app.request("/_fw/mails/1/attachments/0");
      assert.is(await answer.text(), "<script>1</script>");
      assert.match(answer.headers.get("content-disposition") ?? "", /^attachment/);
      assert.is(answer.headers.get("x-content-type-options"), "nosniff");
      for (const path of ["/_fw/mails/1/attachments/1", "/_fw/mails/1/attachments/x", "/_fw/mails/2/attachments/0"])
        assert.is((await app.request(path)).status, 404);
      assert.is(
        (await app.request("/_fw/mails/1/attachments/0", { headers: { "x-forwarded-for": "198.51.100.7" } })).status,
        404,
      );
    }));

  it("Without SMTP_ADDRESS in production, mails fail with FW_MAIL_SMTP and /_fw/mails has no routes", () =>
    withMails(
      async (app) => {
        app.application.log.level = "silent";
        await app.hello();
        await app.drain();
        const [info] = await app.application.kernel.service("jobs").list();
        assert.match(info?.lastError ?? "", "SMTP_ADDRESS");
        await throwsCode("FW_MAIL_SMTP", () =>
          app.application.kernel.service("mailer").send({ to: "ada@example.com", subject: "x", text: "x" }),
        );
        const unknown = await bytes(await app.request("/nothing"));
        for (const path of paths.filter((one) => !one.endsWith(".json")))
          assert.is(await bytes(await app.request(path)), unknown);
        assert.not.match(
          app.application
            .routes()
            .map((route) => route.path)
            .join(),
          "_fw/mails",
        );
      },
      { NODE_ENV: "production", APP_URL: "http://127.0.0.1", LOG_LEVEL: "error" },
    ));

  it("Boot in production logs a warning when SMTP_ADDRESS is not set", async () => {
    const root = writeApp({ ...mailFiles, "plugins.config.ts": config });
    const { child, output } = await serveApp(root, { NODE_ENV: "production", APP_URL: "http://127.0.0.1" });
    child.kill("SIGTERM");
    assert.is(await exitOf(child), 0);
    assert.match(output(), "SMTP_ADDRESS is not set");
  });

  it("A mail without an HTML view is sent as text, and a mail without any view fails with FW_VIEW_MISSING", () =>
    withMails(async (app) => {
      await app.hello({ names: ["mails/other", "mails/plain"] });
      await app.drain();
      const [mail] = app.application.kernel.service("mailer").kept;
      assert.is(mail?.text, "Only text for Ada\n");
      assert.is(mail?.html, undefined);
      const error = await throwsCode("FW_VIEW_MISSING", () => app.hello({ names: ["mails/none"] }));
      assert.match(error.message, "mails/none_text");
    }));

  it("An HTML mail uses the application's own layout", () =>
    withMails(
      async (app) => {
        await app.hello();
        await app.drain();
        assert.match(app.application.kernel.service("mailer").kept[0]?.html ?? "", /^<main>Hello:<h1>Hello Ada<\/h1>/);
      },
      {},
      { "app/views/mailer/layout.liquid": `<main>{{ subject }}:{{ content }}</main>` },
    ));
});

describe("The pages /_fw/mails", (it) => {
  it("An empty /_fw/mails shows a placeholder", () =>
    withMails(async (app) => {
      const page = await (await app.request("/_fw/mails")).text();
      assert.match(page, "No mail yet");
      assert.not.match(page, "[missing");
    }));

  it("Mails are listed newest first, and each is shown as text with links and as HTML in a sandboxed frame", () =>
    withMails(async (app) => {
      await app.hello({ subject: "First <b>" });
      await app.hello({ subject: "Second", to: "bob@example.com" });
      await app.drain();
      const list = await (await app.request("/_fw/mails")).text();
      assert.ok(list.indexOf("Second") < list.indexOf("First &lt;b&gt;"));
      assert.match(list, "bob@example.com");
      assert.not.match(list, "[missing");
      const page = await (await app.request("/_fw/mails/1")).text();
      assert.match(page, `<a href="${link.replace("&", "&amp;")}">`);
      assert.match(page, `confirm: <a`);
      assert.match(page, /class="fw-tabs" data-tabs>/);
      assert.match(
        page,
        /<iframe src="\/_fw\/mails\/1\/html"[^>]* sandbox="allow-popups allow-top-navigation-by-user-activation"/,
      );
      assert.not.match(page, "[missing");
      const frame = await app.request("/_fw/mails/1/html");
      assert.match(frame.headers.get("content-security-policy") ?? "", /^default-src 'none'.*sandbox/);
      assert.match(await frame.text(), /^<!doctype html>\s<html[^>]*>\s<head><base target="_top">/);
      for (const path of ["/_fw/mails/3", "/_fw/mails/01", "/_fw/mails/x"])
        assert.is((await app.request(path)).status, 404, path);
    }));

  it("The page of a mail escapes scripts, and makes no link of a javascript: address", () =>
    withMails(async (app) => {
      const text = `<script>x</script> https://evil.example/"onclick=x javascript:alert(1)`;
      await app.application.kernel.service("mailer").send({ to: "ada@example.com", subject: "<script>", text });
      const page = await (await app.request("/_fw/mails/1")).text();
      assert.not.match(page, "<script>x");
      assert.match(page, `<a href="https://evil.example/">`);
      assert.not.match(page, `href="javascript`);
    }));

  it("/_fw/mails.json lists the mails for tests", () =>
    withMails(async (app) => {
      await app.hello();
      await app.drain();
      const [mail] = (await (await app.request("/_fw/mails.json")).json()) as Record<string, string>[];
      assert.equal(Object.keys(mail!), ["id", "to", "from", "subject", "text", "html", "at"]);
      assert.match(mail!.text!, link);
      assert.ok(Math.abs(Date.parse(mail!.at!) - Date.now()) < 60_000);
      const one = (await (await app.request("/_fw/mails/1.json")).json()) as { to: string };
      assert.is(one.to, "ada@example.com");
    }));

  it("/_fw/mails answers a request that came through a proxy as an unknown path", () =>
    withMails(async (app) => {
      await app.hello();
      await app.drain();
      const headers = { "x-forwarded-for": "198.51.100.7" };
      const unknown = await bytes(await app.request("/nothing", { headers }));
      for (const path of paths.filter((one) => !one.endsWith(".json")))
        assert.is(await bytes(await app.request(path, { headers })), unknown, path);
      assert.is((await app.request("/_fw/mails.json", { headers })).status, 404);
    }));

  it("/_fw/mails is open to loopback addresses, and neither to other addresses, to names of others that lead here, nor to forwarded requests", () => {
    const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}, hostname = "localhost") =>
      isLocal({
        raw: { socket: { remoteAddress } },
        header: (name: string) => headers[name],
        hostname,
      } as unknown as RequestContext);
    for (const address of ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"]) assert.ok(from(address), address);
    for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "fe80::1", "1270.0.0.1", "10.127.0.0.1", undefined])
      assert.not(from(address), String(address));
    assert.not(from("127.0.0.1", { forwarded: "for=192.0.2.1" }));
    for (const name of ["127.0.0.1", "[::1]", "shop.localhost"]) assert.ok(from("127.0.0.1", {}, name), name);
    for (const name of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evillocalhost"])
      assert.not(from("127.0.0.1", {}, name), name);
  });
});
