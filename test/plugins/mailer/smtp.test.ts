import { networkInterfaces } from "node:os";
import type { SMTPServerOptions } from "smtp-server";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { headersOf, link, type MailApp, type MailServer, openMails, openServer, partsOf, smtpTo } from "./support.ts";

interface Story {
  app: MailApp;
  server: MailServer;
}
async function story(
  tell: (story: Story) => Promise<void>,
  values: Record<string, string> = {},
  options: SMTPServerOptions = {},
): Promise<void> {
  const server = await openServer(options);
  const app = await openMails(smtpTo(server, values));
  try {
    await tell({ app, server });
  } finally {
    await app.close();
    await server.close();
  }
}
const jobsOf = (app: MailApp) => app.application.kernel.service("jobs");
const makeDue = (app: MailApp) =>
  app.application.kernel.service("database").knex("framewright_jobs").update({ run_at: "2020-01-01 00:00:00.000" });

for (const base of await databases()) {
  describe(`Mails by SMTP, stored in ${base.name}`, (it, { after }) => {
    after(() => base.clean());
    it.unless(
      base.skip,
      "A mail arrives once, with a text and an HTML part and a subject in any language",
      async () => {
        await story(
          async ({ app, server }) => {
            await app.hello({ subject: "Grüße, Ада — 你好 🐎", locals: { name: "O'Neil & <Sons>" } });
            assert.is(server.received.length, 0, "not before its job is done");
            assert.is(await app.drain(), 1);
            assert.is(await app.drain(), 0);
            const [mail, ...more] = server.received;
            assert.is(more.length, 0);
            assert.equal(mail!.to, ["ada@example.com"]);
            assert.is(mail!.from, "no-reply@shop.example");
            const { "text/plain": text, "text/html": html } = partsOf(mail!.raw);
            assert.match(text!, `Hello O'Neil & <Sons>,\r\nO'NEIL & <SONS>\r\n\r\nconfirm: ${link}.`);
            assert.match(html!, "<h1>Hello O&#39;Neil &amp; &lt;Sons&gt;</h1>");
            assert.match(html!, "<title>Grüße, Ада — 你好 🐎</title>");
            assert.match(html!, "Test App");
            const subject = /^Subject: (.*)$/m.exec(headersOf(mail!.raw))![1]!;
            const words = [...subject.matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi)].map(([, code, word]) =>
              /b/i.test(code!) ? Buffer.from(word!, "base64") : quoted(word!),
            );
            assert.is(Buffer.concat(words).toString("utf8"), "Grüße, Ада — 你好 🐎");
          },
          { ...(await base.values()), APP_URL: "https://shop.example" },
        );
      },
    );
  });
}
function quoted(word: string): Buffer {
  const text = word
    .replaceAll("_", " ")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, "latin1");
}

describe("Delivery of mails by SMTP", (it) => {
  it("A mail is sent over TLS where the server offers it, after signing in", () =>
    story(
      async ({ app, server }) => {
        await app.hello();
        await app.drain();
        assert.is(server.received[0]?.user, "shop");
        assert.is(server.received[0]?.secure, true);
      },
      { SMTP_USER: "shop", SMTP_PASSWORD: "right" },
    ));

  it("A wrong SMTP password fails the delivery, and does not appear in the error of the job", () =>
    story(
      async ({ app, server }) => {
        await app.hello();
        await app.drain();
        assert.is(server.received.length, 0);
        const [info] = await jobsOf(app).list();
        assert.match(info?.lastError ?? "", "Invalid login");
        assert.not.match(JSON.stringify(info), "marked-wrong");
      },
      { SMTP_USER: "shop", SMTP_PASSWORD: "marked-wrong" },
    ));

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === "IPv4")?.address;
  const reason = outside === undefined ? "needs an address besides the loopback" : undefined;
  it.unless(reason, "An SMTP password is never sent unencrypted to another machine", async () => {
    let asked = 0;
    const options: SMTPServerOptions = {
      hideSTARTTLS: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        asked++;
        done(null, { user: "x" });
      },
    };
    const server = await openServer(options, 0, "0.0.0.0");
    const app = await openMails(smtpTo(server, { SMTP_ADDRESS: outside!, SMTP_USER: "shop", SMTP_PASSWORD: "right" }));
    await app.hello();
    await app.drain();
    await app.close();
    await server.close();
    assert.is(asked, 0);
    assert.is(server.received.length, 0);
  });

  it("A mail that the server refuses with 451 is retried later, and arrives once", async () => {
    let busy = true;
    const onRcptTo: SMTPServerOptions["onRcptTo"] = (_address, _session, done) =>
      busy ? done(Object.assign(new Error("try later"), { responseCode: 451 })) : done();
    await story(
      async ({ app, server }) => {
        await app.hello();
        await app.drain();
        const [info] = await jobsOf(app).list();
        assert.is(info?.state, "waiting");
        assert.match(info?.lastError ?? "", "451");
        assert.is(await app.drain(), 0, "not at once");
        busy = false;
        await makeDue(app);
        await app.drain();
        await app.drain();
        assert.is(server.received.length, 1);
        assert.is((await jobsOf(app).list())[0]?.state, "done");
      },
      {},
      { onRcptTo },
    );
  });

  it("A mail waits for an SMTP server that is unavailable", async () => {
    const first = await openServer();
    await first.close();
    const app = await openMails(smtpTo(first));
    await app.hello();
    await app.drain();
    assert.is((await jobsOf(app).list())[0]?.state, "waiting");
    const server = await openServer({}, first.port);
    await makeDue(app);
    await app.drain();
    assert.is(server.received.length, 1);
    await app.close();
    await server.close();
  });

  it("A mail fails after twelve refusals, and its job stays listed as failed", async () => {
    const onRcptTo: SMTPServerOptions["onRcptTo"] = (_address, _session, done) =>
      done(Object.assign(new Error("no such mailbox"), { responseCode: 550 }));
    await story(
      async ({ app, server }) => {
        await app.hello();
        for (let i = 0; i < 15; i++) {
          await app.drain();
          if ((await jobsOf(app).list())[0]?.state !== "failed") await makeDue(app);
        }
        const [info] = await jobsOf(app).list({ state: "failed", kind: "mail" });
        assert.is(info?.attempts, 12);
        assert.match(info?.lastError ?? "", "550 no such mailbox");
        assert.not.match(JSON.stringify(info), "marked-key");
        assert.is(server.received.length, 0);
      },
      {},
      { onRcptTo },
    );
  });

  it("A mail keeps its Message-ID at each attempt", async () => {
    const seen: string[] = [];
    const onData: SMTPServerOptions["onData"] = (stream, _session, done) => {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk));
      stream.on("end", () => {
        seen.push(/^Message-ID: (.*)$/im.exec(text)![1]!);
        done(seen.length < 2 ? Object.assign(new Error("later"), { responseCode: 451 }) : null);
      });
    };
    await story(
      async ({ app }) => {
        await app.hello();
        await app.drain();
        await makeDue(app);
        await app.drain();
        assert.is(seen.length, 2);
        assert.is(seen[0], seen[1]);
      },
      {},
      { onData },
    );
  });

  const injections = [
    "ada@example.com\r\nBcc: evil@example.com",
    "ada@example.com\nRCPT TO:<evil@example.com>",
    "ada@example.com, evil@example.com",
    "ada@example.com;evil@example.com",
    "ada@example.com evil@example.com",
    "Ada <evil@example.com>",
    "evil@example.com <ada@example.com>",
    "group: evil@example.com;",
    '"evil@example.com,"@example.com',
    "ada@evil@example.com",
    "ada@example.com\u0000",
    "ada@example.com\u2028evil@example.com",
    " ada@example.com",
    "ada@example.com ",
    "ada@",
    "@example.com",
    "ada",
    "",
    `${"a".repeat(65)}@example.com`,
    `ada@${"e".repeat(260)}.com`,
    "ada@exa..mple.com",
    ".ada@example.com",
    "ada@[127.0.0.1]",
    "ada@example.com(evil@example.com)",
  ];
  it("An address that is not one plain recipient is refused with FW_MAIL_ADDRESS, and no injected recipient gets a mail", () =>
    story(async ({ app, server }) => {
      const mailer = app.application.kernel.service("mailer");
      for (const to of [...injections, null as unknown as string]) {
        const error = await throwsCode("FW_MAIL_ADDRESS", () => app.hello({ to }));
        assert.not.match(error.message, "evil");
        await throwsCode("FW_MAIL_ADDRESS", () => mailer.send({ to, subject: "x", text: "x" }));
        if (to === null || to === "Ada <evil@example.com>" || to === "evil@example.com <ada@example.com>") continue; // a sender may have a name
        for (const field of ["from", "replyTo"])
          await throwsCode("FW_MAIL_ADDRESS", () =>
            mailer.send({ to: "ada@example.com", subject: "x", text: "x", [field]: to }),
          );
      }
      await app.drain();
      assert.is(server.received.length, 0);
      for (const to of ["ada+tag@example.com", "o'neil@sub.example.co", "ada@bücher.example"]) {
        await app.hello({ to });
        await app.drain();
      }
      assert.equal(
        server.received.flatMap((mail) => mail.to),
        ["ada+tag@example.com", "o'neil@sub.example.co", "ada@bücher.example"],
      );
    }));

  it("A subject with line breaks is sent as one line, and injects no header", () =>
    story(async ({ app, server }) => {
      for (const subject of [
        "Hi\r\nBcc: evil@example.com\r\n\r\ninjected",
        "Hi\nBcc: evil@example.com",
        "Hi\u2028Bcc: evil@example.com",
      ]) {
        await app.hello({ subject });
        await app.application.kernel.service("mailer").send({ to: "ada@example.com", subject, text: "x" });
      }
      await app.drain();
      assert.is(server.received.length, 6);
      for (const { to, raw } of server.received) {
        assert.equal(to, ["ada@example.com"]);
        assert.not.match(headersOf(raw), /^Bcc/im);
        assert.match(headersOf(raw), /^Subject: Hi Bcc: evil@example.com/m);
      }
    }));

  it("Logs contain neither the text, the links nor the recipient of a mail", async () => {
    const write = process.stdout.write;
    let logged = "";
    process.stdout.write = ((chunk: string | Uint8Array) => {
      logged += String(chunk);
      return true;
    }) as typeof process.stdout.write;
    try {
      let refuse = true;
      const onRcptTo: SMTPServerOptions["onRcptTo"] = (_address, _session, done) =>
        refuse ? done(Object.assign(new Error("later"), { responseCode: 451 })) : done();
      await story(
        async ({ app }) => {
          await app.hello();
          await app.drain();
          refuse = false;
          await makeDue(app);
          await app.drain();
        },
        { LOG_LEVEL: "trace" },
        { onRcptTo },
      );
    } finally {
      process.stdout.write = write;
    }
    assert.match(logged, "(mail) failed and is retried");
    assert.match(logged, "(mail) is done");
    for (const secret of ["marked-key", "Hello Ada", "ada@example.com"]) assert.not.match(logged, secret);
  });
});

describe("The sender of mails", (it) => {
  const senders: [string, Record<string, string>, string | undefined, string][] = [
    ["The default sender is no-reply at localhost", {}, undefined, "no-reply@localhost"],
    [
      "The default sender is no-reply at the host of APP_URL",
      { APP_URL: "https://shop.example:8443/x" },
      undefined,
      "no-reply@shop.example",
    ],
    [
      "The sender is the address in MAIL_FROM",
      { APP_URL: "https://shop.example", MAIL_FROM: "hi@mail.example" },
      undefined,
      "hi@mail.example",
    ],
    [
      "The sender of the option from wins over MAIL_FROM",
      { MAIL_FROM: "hi@mail.example" },
      "The Shop <shop@mail.example>",
      "shop@mail.example",
    ],
  ];
  for (const [sentence, values, from, expected] of senders) {
    it(sentence, async () => {
      const server = await openServer();
      const app = await openMails(smtpTo(server, values), from === undefined ? {} : { from });
      await app.hello();
      await app.drain();
      assert.is(server.received[0]?.from, expected);
      if (from) assert.match(headersOf(server.received[0]!.raw), /^From: The Shop <shop@mail.example>$/m);
      await app.close();
      await server.close();
    });
  }
  it("Boot fails with FW_MAIL_ADDRESS for a MAIL_FROM with two addresses", async () => {
    await throwsCode("FW_MAIL_ADDRESS", () => openMails({ MAIL_FROM: "a@b.example, c@d.example" }));
  });
});
