// What every filler of the slot "mailer" must do. The templates of the checks are in Liquid. Uses node:assert alone, so that it runs
// under any test runner: for (const { sentence, check } of mailerConformance) test(sentence, () => check({ plugins: [database(), …, myMailer()] })).
import assert from "node:assert/strict";
import type { Mailer } from "framewright/plugins/mailer";
import { jobTables, type TestApplication } from "framewright/testing";
import { type Subject, within } from "./support/application.ts";
import { type ArrivedMail, type Inbox, openSmtpInbox } from "./support/smtp.ts";

export type { ArrivedFile, ArrivedMail, Inbox } from "./support/smtp.ts";

/** An application that has the filler and the slots `database`, `jobs` (with `run: false`), `views` and `i18n`. */
export interface MailerSubject extends Subject {
  /** Where its mails arrive; left out, a server that speaks SMTP, named by SMTP_ADDRESS and SMTP_PORT. */
  openInbox?(): Promise<Inbox>;
}
export interface MailerCheck {
  sentence: string;
  check(subject: MailerSubject): Promise<void>;
}

const files = {
  ...jobTables(),
  "app/views/conformance/mail.liquid": '<h1>Hello {{ name }}</h1><p><a href="{{ link }}">Confirm</a></p>',
  "app/views/conformance/mail_text.liquid": "Hello {{ name }},\n{{ link }}\n",
  "app/views/conformance/plain_text.liquid": "Only text for {{ name }}\n",
};
const env = { APP_URL: "https://shop.example", MAIL_FROM: "The Shop <hi@shop.example>" };
const locals = { name: `O'Neil & <Sons>`, link: "https://shop.example/?a=1&b=2" };

interface Opened {
  app: TestApplication;
  mailer: Mailer;
  /** Runs the jobs, and returns the mails that arrived or were kept. */
  arrived(): Promise<readonly ArrivedMail[]>;
}
type Story = (opened: Opened) => Promise<void>;

/** With mails that are sent to an inbox. */
async function sending(subject: MailerSubject, story: Story): Promise<void> {
  const inbox = await (subject.openInbox ?? openSmtpInbox)();
  const given = { ...subject, files: { ...files, ...subject.files }, env: { ...env, ...subject.env, ...inbox.env } };
  try {
    await within(given, [], (app) =>
      story({
        app,
        mailer: app.application.kernel.service("mailer"),
        async arrived() {
          await app.runJobs();
          return inbox.arrived();
        },
      }),
    );
  } finally {
    await inbox.close();
  }
}

/** What could become a second recipient or a header. */
const NO_ADDRESSES = [
  "ada@example.com\r\nBcc: eve@example.com",
  "ada@example.com\nRCPT TO:<eve@example.com>",
  "ada@example.com, eve@example.com",
  "ada@example.com;eve@example.com",
  "ada@example.com eve@example.com",
  "group: eve@example.com;",
  "ada@example.com\u0000",
  "ada@eve@example.com",
  "ada@",
  "ada",
  "",
];

export const mailerConformance: readonly MailerCheck[] = [
  {
    sentence:
      "A mail that is delivered arrives once, after its job ran, with its text, its HTML and a subject in any language",
    check: (subject) =>
      sending(subject, async ({ app, mailer, arrived }) => {
        const subjectLine = "Grüße, Ада, 你好 🐎";
        await mailer.deliver({ to: "ada@example.com", names: ["conformance/mail"], subject: subjectLine, locals });
        assert.ok((await app.runJobs()) > 0, "a job sends it");
        await app.runJobs();
        const [mail, ...more] = await arrived();
        assert.ok(mail, "nothing arrived");
        assert.equal(more.length, 0);
        assert.deepEqual(mail.to, ["ada@example.com"]);
        assert.equal(mail.headers.subject, subjectLine);
        assert.match(mail.headers.from ?? "", /hi@shop\.example/);
        assert.ok(mail.text.includes(`Hello ${locals.name},`) && mail.text.includes(locals.link), mail.text);
        assert.match(mail.html ?? "", /<h1>Hello O&#0?39;Neil &amp; &lt;Sons&gt;<\/h1>/);
        assert.ok(mail.html?.includes('href="https://shop.example/?a=1&amp;b=2"'), mail.html);
      }),
  },
  {
    sentence: "A mail may have a sender and an address for answers of its own, which can't bring a header",
    check: (subject) =>
      sending(subject, async ({ mailer, arrived }) => {
        const mail = { to: "ada@example.com", names: ["conformance/plain"], subject: "Bill", locals: { name: "Ada" } };
        const bad = "A <a@example.com>\r\nBcc: eve@example.com";
        await assert.rejects(mailer.deliver({ ...mail, from: bad }), { code: "FW_MAIL_ADDRESS" });
        await assert.rejects(mailer.deliver({ ...mail, replyTo: bad }), { code: "FW_MAIL_ADDRESS" });
        await mailer.deliver({ ...mail, from: "Bills <bills@shop.example>", replyTo: "eve@example.com" });
        const [{ headers } = { headers: {} as Record<string, string | undefined> }, ...more] = await arrived();
        assert.equal(more.length, 0);
        assert.match(headers.from ?? "", /^"?Bills"? <bills@shop\.example>$/);
        assert.match(headers["reply-to"] ?? "", /eve@example\.com/);
      }),
  },
  {
    sentence: "Files arrive with a mail as they are, and a name or a type that could bring a header does not",
    check: (subject) =>
      sending(subject, async ({ mailer, arrived }) => {
        const mail = { to: "ada@example.com", subject: "Bill", text: "x" };
        const delivery = { ...mail, names: ["conformance/plain"], locals: { name: "Ada" } };
        const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => at % 256));
        const bill = { filename: "bill.pdf", content: bytes };
        const hostile = { filename: '/etc/x"\r\nBcc: eve@example.com', content: "ü", type: "text/csv" };
        await mailer.deliver({ ...delivery, attachments: [bill, hostile] });
        await mailer.send({ ...mail, attachments: [bill] });
        for (const attachments of [
          [{ ...bill, type: "text/csv\r\nBcc: eve@example.com" }],
          [{ ...bill, filename: " \n" }],
          [
            { ...bill, content: Buffer.alloc(3 * 1024 * 1024) },
            { ...bill, content: "x".repeat(3 * 1024 * 1024) },
          ],
        ]) {
          await assert.rejects(mailer.deliver({ ...delivery, attachments }), { code: "FW_MAIL_FILE" });
          await assert.rejects(mailer.send({ ...mail, attachments }), { code: "FW_MAIL_FILE" });
        }
        const all = await arrived();
        assert.equal(all.length, 2);
        for (const { to, headers } of all) assert.deepEqual([to, headers.bcc], [["ada@example.com"], undefined]);
        for (const { files } of all) {
          if (files === undefined) continue;
          assert.deepEqual(files[0], { ...bill, type: "application/pdf" });
          assert.deepEqual(
            files.slice(1).map(({ type, content }) => [type, content.toString()]),
            files.length === 2 ? [["text/csv", "ü"]] : [],
          );
        }
        const counts = all.map(({ files }) => files?.length).filter((count) => count !== undefined);
        assert.ok(counts.length === 0 || counts.toSorted().join() === "1,2", counts.join());
      }),
  },
  {
    sentence:
      "A mail may be text alone, and one without a template is refused with FW_VIEW_MISSING before anything is stored",
    check: (subject) =>
      sending(subject, async ({ mailer, arrived }) => {
        const mail = { to: "ada@example.com", subject: "Text", locals: { name: "Ada" } };
        await assert.rejects(mailer.deliver({ ...mail, names: ["conformance/none"] }), { code: "FW_VIEW_MISSING" });
        await mailer.deliver({ ...mail, names: ["conformance/none", "conformance/plain"] });
        const all = await arrived();
        assert.equal(all.length, 1);
        assert.deepEqual([all[0]?.text.trim(), all[0]?.html], ["Only text for Ada", undefined]);
      }),
  },
  {
    sentence: "A mail of a transaction is sent after its commit, and not at all after a rollback",
    check: (subject) =>
      sending(subject, async ({ app, mailer, arrived }) => {
        const database = app.application.kernel.service("database");
        const mail = { to: "ada@example.com", names: ["conformance/mail"], locals };
        const failing = database.transaction(async (transaction) => {
          await mailer.deliver({ ...mail, subject: "Rolled back", transaction });
          throw new Error("rolled back");
        });
        await assert.rejects(failing, /rolled back/);
        assert.equal((await arrived()).length, 0);
        await database.transaction((transaction) => mailer.deliver({ ...mail, subject: "Committed", transaction }));
        assert.deepEqual(
          (await arrived()).map(({ headers }) => headers.subject),
          ["Committed"],
        );
      }),
  },
  {
    sentence: "An address that is not one plain recipient is refused with FW_MAIL_ADDRESS, and nobody gets a mail",
    check: (subject) =>
      sending(subject, async ({ mailer, arrived }) => {
        const refused = { code: "FW_MAIL_ADDRESS" };
        for (const wrong of NO_ADDRESSES) {
          const name = JSON.stringify(wrong);
          const mail = { subject: "x", text: "x" };
          await assert.rejects(
            mailer.deliver({ to: wrong, names: ["conformance/mail"], subject: "x", locals }),
            refused,
            name,
          );
          await assert.rejects(mailer.send({ ...mail, to: wrong }), refused, name);
          for (const field of ["from", "replyTo"])
            await assert.rejects(
              mailer.send({ ...mail, to: "ada@example.com", [field]: wrong }),
              refused,
              `${field} ${name}`,
            );
        }
        assert.equal((await arrived()).length, 0);
      }),
  },
  {
    sentence: "A subject is one line: a break in it starts no header, and adds no recipient",
    check: (subject) =>
      sending(subject, async ({ mailer, arrived }) => {
        const hostile = "Hello\r\nBcc: eve@example.com\r\n\r\n<script>\u2028X-Eve: 1";
        await mailer.deliver({ to: "ada@example.com", names: ["conformance/mail"], subject: hostile, locals });
        await mailer.send({ to: "ada@example.com", subject: hostile, text: "the text" });
        const all = await arrived();
        assert.equal(all.length, 2);
        for (const { to, headers, text } of all) {
          assert.deepEqual(to, ["ada@example.com"]);
          assert.deepEqual([headers.bcc, headers["x-eve"]], [undefined, undefined]);
          assert.match(headers.subject ?? "", /^Hello.*eve@example\.com/);
          assert.doesNotMatch(headers.subject ?? "", /[\r\n\u2028]/);
          assert.match(text, /the text|Hello/);
        }
      }),
  },
  {
    sentence: "A mail that is sent at once arrives with its sender, its reply address and both of its bodies",
    check: (subject) =>
      sending(subject, async ({ mailer, arrived }) => {
        const text = "First\n.\n..dots\nLast ü";
        const mail = { to: "ada+tag@example.com", subject: "Now", text, html: "<p>ü &amp; é</p>" };
        await mailer.send({ ...mail, from: "Desk <desk@shop.example>", replyTo: "reply@shop.example" });
        const [found, ...more] = await arrived();
        assert.equal(more.length, 0);
        assert.deepEqual(found?.to, ["ada+tag@example.com"]);
        assert.match(found?.headers.from ?? "", /desk@shop\.example/);
        assert.match(found?.headers["reply-to"] ?? "", /reply@shop\.example/);
        assert.equal(found?.text.replaceAll("\r\n", "\n").trim(), text);
        assert.equal(found?.html?.trim(), mail.html);
      }),
  },
  {
    sentence: "A decoy is stored and processed as a mail is, and sent to nobody",
    check: (subject) =>
      sending(subject, async ({ app, mailer, arrived }) => {
        const decoy = { to: "ada@example.com", names: ["conformance/mail"], subject: "Decoy", locals, decoy: true };
        await mailer.deliver(decoy);
        assert.ok((await app.runJobs()) > 0, "it has a job, as a mail has");
        assert.equal((await arrived()).length, 0);
        assert.equal(mailer.kept.length, 0);
        await assert.rejects(mailer.deliver({ ...decoy, names: ["conformance/none"] }), { code: "FW_VIEW_MISSING" });
      }),
  },
  {
    sentence:
      "In a test without a mail server mails are kept, the oldest first, with an id, an instant and both bodies",
    check: (subject) =>
      within(
        { ...subject, files: { ...files, ...subject.files }, env: { ...env, ...subject.env } },
        [],
        async (app) => {
          const mailer = app.application.kernel.service("mailer");
          const mail = { to: "ada@example.com", names: ["conformance/mail"], locals };
          await mailer.deliver({ ...mail, subject: "One" });
          assert.equal(mailer.kept.length, 0, "before its job ran");
          await mailer.deliver({ ...mail, subject: "Decoy", decoy: true });
          const [one, ...more] = await app.mails();
          assert.equal(more.length, 0);
          assert.deepEqual([one?.to, one?.subject], ["ada@example.com", "One"]);
          assert.ok(one?.at instanceof Date && one.text.includes(locals.name) && one.html?.includes("O&#"));
          await mailer.send({ to: "bob@example.com", subject: "Two", text: "two" });
          assert.deepEqual(
            mailer.kept.map(({ subject }) => subject),
            ["One", "Two"],
          );
          assert.equal(new Set(mailer.kept.map(({ id }) => id)).size, 2);
        },
      ),
  },
];
