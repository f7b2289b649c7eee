import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { CspDirective, Finding } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { bootApp } from "../support/apps.ts";
import { openBrowser } from "../support/browser.ts";
import { assert, describe, reasonToSkip, throwsCode } from "../support/index.ts";
import { attackedFiles } from "./attacked.ts";

const reasonForNoBrowser = await reasonToSkip("browser");
type Source = readonly [directive: CspDirective, source: string];
const adding = (name: string, ...sources: Source[]): Plugin =>
  definePlugin({
    name,
    requires: ["host"],
    apply({ services }) {
      for (const source of sources) services.host.csp.add(...source);
    },
  });

/** The policy of an application with these plugins, by directive. */
async function policyOf(...plugins: Plugin[]): Promise<Record<string, string>> {
  const app = await bootApp(attackedFiles, { plugins });
  try {
    const policies = await Promise.all(
      ["/plain", "/nowhere", "/%zz", "/healthz"].map(async (path) =>
        (await app.request(path)).headers.get("content-security-policy"),
      ),
    );
    assert.is(new Set(policies).size, 1, "every reply has the same policy");
    const directives = policies[0]!.split(";").map((text) => text.trim().split(" "));
    return Object.fromEntries(directives.map(([name, ...sources]) => [name, sources.join(" ")]));
  } finally {
    await app.close();
  }
}

describe("Sources that plugins add to the Content-Security-Policy", (it) => {
  it("Sources are added to the directives that plugins name, each once, and nothing else changes", async () => {
    const standard = await policyOf();
    const policy = await policyOf(
      adding("tiles", ["img-src", "https://*.tiles.example"], ["connect-src", "wss://live.tiles.example:8443"]),
      adding(
        "maps",
        ["img-src", "https://*.tiles.example"],
        ["script-src", "https://cdn.example/maps/3.1/"],
        ["script-src", "'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='"],
        ["font-src", "data:"],
        ["connect-src", "http://localhost:9200"],
      ),
    );
    assert.equal(policy, {
      ...standard,
      "img-src": "'self' data: https://*.tiles.example",
      "connect-src": "'self' wss://live.tiles.example:8443 http://localhost:9200",
      "script-src": "'self' https://cdn.example/maps/3.1/ 'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='",
      "font-src": "'self' data:",
    });
  });
  it("Sources that would undo the policy, and what is no source, are refused by plugin, directive and reason", async () => {
    const undo =
      /keywords and nonces|whatever anybody sends|too many sites|no URL of a site|no spaces|on the network|sockets/;
    const wrong: Record<string, readonly unknown[]> = {
      "script-src": [
        ...["*", "'unsafe-inline'", "'unsafe-eval'", "'UNSAFE-INLINE'", "'unsafe-hashes'", "'strict-dynamic'"],
        ...[
          "'wasm-unsafe-eval'",
          "'nonce-abc'",
          "'self'",
          "'none'",
          "'sha256-short='",
          "data:",
          "DATA:",
          "blob:",
          "https:",
        ],
        ...[
          "https://*",
          "https://*:443",
          "https://*.com",
          "https://*.0.0.1",
          "//cdn.example",
          "cdn.example",
          "unsafe-inline",
        ],
        ...[
          "https://a.example; script-src *",
          "https://a.example\nscript-src *",
          "https://a.example https://b.example",
        ],
        ...["https://a.example,", "https://a.example\r", "", " ", "/assets", "javascript:alert(1)", "filesystem:"],
        ...[
          "http://a.example",
          "wss://a.example",
          "https://user@a.example",
          "https://a.example/?q",
          "https://a.example/#x",
        ],
        ...[
          "https://a.example:99999999",
          "https://*a.example",
          "https://a.*.example",
          "https://ä.example",
          "https://1.2.3",
        ],
        ...["https://a.example/%zz", "data:text/javascript", "mediastream:", "\u0000", "https://\u202ea.example"],
      ],
      "img-src": [
        "*",
        "'unsafe-inline'",
        "'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='",
        "http:",
        "wss://a.example",
      ],
      "style-src": ["data:", "blob:", "'unsafe-inline'", "'report-sample'"],
      "worker-src": ["blob:", "data:"],
      "frame-src": ["data:", "blob:", "*"],
      "connect-src": ["ws://a.example", "wss:", "wss://*"],
    };
    for (const [directive, sources] of Object.entries(wrong))
      for (const source of sources) {
        const plugin = adding("careless", [directive as CspDirective, source as string]);
        const { message } = await throwsCode("FW_CSP_SOURCE", () => policyOf(plugin));
        assert.match(message, `the plugin "careless" can't add ${JSON.stringify(source)} to ${directive}: `);
        assert.match(message, undo, String(source));
      }
    for (const source of [undefined, null, 7, ["https://a.example"]])
      assert.match(
        (await throwsCode("FW_CSP_SOURCE", () => policyOf(adding("careless", ["img-src", source as never])))).message,
        "it is no text",
      );
  });
  it("An unknown directive is refused with the nearest one, and those that stay closed with that", async () => {
    const refusal = async (directive: unknown) => {
      const plugin = adding("careless", [directive as CspDirective, "https://a.example"]);
      return (await throwsCode("FW_CSP_DIRECTIVE", () => policyOf(plugin))).message;
    };
    assert.match(await refusal("img-scr"), `"img-scr", which is no directive`);
    assert.match(await refusal("img-scr"), `Did you mean "img-src"?`);
    for (const directive of ["imgSrc", "__proto__", "constructor", "report-uri", "img-src;", undefined, 7])
      assert.match(
        await refusal(directive),
        "which is no directive of the Content-Security-Policy that plugins extend",
      );
    for (const directive of ["default-src", "object-src", "base-uri", "frame-ancestors", "script-src-attr"])
      assert.match(await refusal(directive), `"${directive}", which stays as it is. They extend: connect-src,`);
  });
  it("Sources can be added while a plugin is applied, and neither in a hook nor after boot", async () => {
    const late = definePlugin({
      name: "late",
      requires: ["host"],
      apply: ({ hooks, services }) =>
        hooks.kernel.boot.tapPromise("late", async () => services.host.csp.add("img-src", "https://a.example")),
    });
    assert.match((await throwsCode("FW_REGISTERED_LATE", () => policyOf(late))).message, "host.csp.add");
    const app = await bootApp(attackedFiles, { plugins: [] });
    try {
      await throwsCode("FW_REGISTERED_LATE", async () => app.application.csp.add("img-src", "https://a.example"));
    } finally {
      await app.close();
    }
  });
  it("fw doctor lists the sources, readiness checks and host rules of plugins, and nothing where there are none", async () => {
    const findings = async (...plugins: Plugin[]) => {
      const app = await bootApp(attackedFiles, { plugins });
      try {
        const found: Finding[] = [];
        await app.application.hooks.examine.promise(found);
        return found;
      } finally {
        await app.close();
      }
    };
    assert.equal(await findings(), []);
    const watch = definePlugin({
      name: "watch",
      requires: ["host"],
      apply({ services }) {
        services.host.health.add("queue", () => undefined);
        services.host.hosts.add(() => false);
      },
    });
    const found = await findings(adding("tiles", ["img-src", "https://tiles.example"]), watch);
    assert.equal(
      found.map(({ ok, detail }) => [ok, detail]),
      [
        [true, "img-src https://tiles.example (tiles)"],
        [true, "queue (watch)"],
        [true, "watch"],
      ],
    );
  });
});

/** A page with an image of each of two names of another server. */
const pageWith = (port: number) => ({
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => { routes.get("map", { to: "maps#show" }); });`,
  "app/controllers/maps_controller.ts": `import { BaseController, htmlReply } from "framewright";
    export default class MapsController extends BaseController { static override guests = "admit" as const;
      show() { return this.answer(htmlReply('<!doctype html><title>map</title><img src="http://127.0.0.1:${port}/a.svg"><img src="http://localhost:${port}/b.svg"><script>document.title = "inline"</script>')); }
    }`,
});

describe("A page in a browser", (it) => {
  it.unless(
    reasonForNoBrowser,
    "A page loads an image of a source that a plugin added, and none of another source",
    async () => {
      const asked: string[] = [];
      const tiles = createServer(({ url = "" }, res) => {
        asked.push(url);
        res.setHeader("content-type", "image/svg+xml").end('<svg xmlns="http://www.w3.org/2000/svg"/>');
      });
      await new Promise<void>((resolve) => tiles.listen(0, "127.0.0.1", resolve));
      const { port } = tiles.address() as AddressInfo;
      const plugins = [adding("tiles", ["img-src", `http://127.0.0.1:${port}`])];
      const app = await bootApp(pageWith(port), { plugins });
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(`${app.url}/map`, { waitUntil: "load" });
        assert.equal(asked, ["/a.svg"]);
        assert.is(await page.title(), "map");
      } finally {
        await browser.close();
        await app.close();
        tiles.close();
      }
    },
  );
});
