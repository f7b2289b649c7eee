import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import { type Assets, assets } from "framewright/plugins/assets";
import { type Mailer, mailer } from "framewright/plugins/mailer";
import { assetsConformance } from "../../conformance/assets.ts";
import { mailerConformance } from "../../conformance/mailer.ts";
import { describe } from "../../support/index.ts";
import { mailPlugins, refuses } from "./suites.ts";

/** Assets that differ from the standard ones in one point. */
const files = (change: (assets: Assets, root: string) => Partial<Assets>): Plugin[] => [
  assets(),
  definePlugin({
    name: "wrong-assets",
    decorates: "assets",
    apply: ({ services, settings }): Assets => ({
      ...services.assets,
      ...change(services.assets, settings.root ?? ""),
    }),
  }),
];

describe("The suite of the slot assets", (it) => {
  for (const { sentence, check } of assetsConformance)
    it(`The standard plugin: ${sentence}`, () => check({ plugins: [assets()] }));

  it("It refuses assets whose URL stays when their content changes", () =>
    refuses(
      assetsConformance,
      {
        plugins: files((own) => {
          const fixed = (url: string) => url.replace(/-[\w-]{12}(?=\.\w+$)/, "-000000000000");
          const urls = new Map<string, string>();
          return {
            url(name) {
              const url = own.url(name);
              urls.set(fixed(url), url);
              return fixed(url);
            },
            handle(request, response) {
              const known = urls.get(request.url ?? "");
              if (known !== undefined) request.url = known;
              return own.handle(request, response);
            },
          };
        }),
      },
      { "changes with its content": /./ },
    ));
  it("It refuses assets that serve what lies above the folder of public files", () =>
    refuses(
      assetsConformance,
      {
        plugins: files((own, root) => ({
          handle(request, response) {
            if (own.handle(request, response)) return true;
            try {
              const body = readFileSync(join(root, normalize(`public/${decodeURIComponent(request.url ?? "")}`)));
              response.writeHead(200).end(body);
              return true;
            } catch {
              return false;
            }
          },
        })),
      },
      { "Nothing is served but what was added": /is answered 200/ },
    ));
  it("It refuses assets that compress for clients that refuse the encoding", () =>
    refuses(
      assetsConformance,
      {
        plugins: files((own) => ({
          handle(request, response) {
            if (request.headers["accept-encoding"] !== undefined) request.headers["accept-encoding"] = "br";
            return own.handle(request, response);
          },
        })),
      },
      { "A compressed asset": /br for/ },
    ));
});

/** A mailer that differs from the standard one in one point. */
const mails = (change: (mailer: Mailer) => Partial<Mailer>): Plugin[] => [
  ...mailPlugins(),
  mailer(),
  definePlugin({
    name: "wrong-mailer",
    decorates: "mailer",
    apply({ services }): Mailer {
      const own: Mailer = services.mailer;
      return {
        deliver: own.deliver,
        send: own.send,
        get kept() {
          return own.kept;
        },
        ...change(own),
      };
    },
  }),
];

describe("The suite of the slot mailer", (it) => {
  for (const { sentence, check } of mailerConformance)
    it(`The standard plugin: ${sentence}`, () => check({ plugins: [...mailPlugins(), mailer()] }));

  it("It refuses a mailer that cuts addresses at a line break instead of refusing them", () =>
    refuses(
      mailerConformance,
      {
        plugins: mails((own) => ({
          deliver: ({ to, ...mail }) => own.deliver({ ...mail, to: to.split(/[\r\n]/)[0]! }),
        })),
      },
      { "An address that is not": /rejection|rejected/i },
    ));
  it("It refuses a mailer that loses the text of a mail, or sends before the transaction has ended", () =>
    refuses(
      mailerConformance,
      {
        plugins: mails((own) => ({
          send: (mail) => own.send({ ...mail, text: "This mail needs HTML." }),
          deliver: ({ transaction: _, ...mail }) => own.deliver(mail),
        })),
      },
      { "A mail of a transaction": /./, "A mail that is sent at once": /./, "A subject is one line": /./ },
    ));
  it("It refuses a mailer that sends decoys", () =>
    refuses(
      mailerConformance,
      { plugins: mails((own) => ({ deliver: ({ decoy: _, ...mail }) => own.deliver(mail) })) },
      { "A decoy": /./, "In a test without a mail server": /./ },
    ));
});
