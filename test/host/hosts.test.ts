import { request } from "node:http";
import type { HostRule } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { attackedFiles } from "./attacked.ts";
import { sendRaw } from "./raw.ts";

const statusFor = (app: TestApp, host: string) =>
  new Promise<number | undefined>((resolve, reject) =>
    request(`${app.url}/`, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end(),
  );

describe("ALLOWED_HOSTS", (it) => {
  it("ALLOWED_HOSTS accepts exact names and subdomains of a wildcard, and any other host gets 400", async () => {
    const app = await bootApp(attackedFiles, { values: { ALLOWED_HOSTS: "shop.example, *.Tenants.example" } });
    try {
      for (const host of ["shop.example", "SHOP.example:3000", "a.tenants.example", "a.b.tenants.example:80"])
        assert.is.not(await statusFor(app, host), 400, host);
      for (const host of [
        "tenants.example",
        "eviltenants.example",
        "a.shop.example",
        "tenants.example.evil",
        "*.tenants.example",
        ".tenants.example",
        "a..tenants.example",
        "a.tenants.example.",
        "[::1].tenants.example",
        "evil.example:80.tenants.example",
        "shop.example.",
        "shop.example:80:90",
        "[::1]",
      ])
        assert.is(await statusFor(app, host), 400, host);
    } finally {
      await app.close();
    }
  });
  it("An ALLOWED_HOSTS entry that is not a host name is refused with FW_SETTING_INVALID", async () => {
    for (const given of ["*", "*.", "shop.example:3000", "https://shop.example", "shop.*.example"]) {
      const error = await throwsCode("FW_SETTING_INVALID", () =>
        bootApp(attackedFiles, { values: { ALLOWED_HOSTS: given } }),
      );
      assert.match(error.message, "ALLOWED_HOSTS");
    }
  });
  it("A wildcard below a single label or below numbers is refused with the reason, *.localhost excepted", async () => {
    for (const given of ["*.com", "*.example", "*.com.", "shop.example,*.COM", "*.0.0.1", "*.1"]) {
      const error = await throwsCode("FW_SETTING_INVALID", () =>
        bootApp(attackedFiles, { values: { ALLOWED_HOSTS: given } }),
      );
      assert.match(error.message, /ALLOWED_HOSTS.*\*\.shop\.example/);
    }
    const app = await bootApp(attackedFiles, { values: { ALLOWED_HOSTS: "*.localhost" } });
    try {
      assert.is(await statusFor(app, "a.localhost"), 404);
      assert.is(await statusFor(app, "localhost"), 400);
    } finally {
      await app.close();
    }
  });
});

const ruling = (name: string, rule: HostRule): Plugin =>
  definePlugin({ name, requires: ["host"], apply: ({ services }) => services.host.hosts.add(rule) });

describe("Hosts that plugins add", (it) => {
  const domains = new Set(["acme.test", "www.acme.test"]);
  const withRules = async (
    rules: readonly HostRule[],
    work: (app: TestApp) => Promise<void>,
    values: Record<string, string> = { ALLOWED_HOSTS: "shop.example,*.shop.example" },
  ) => {
    const plugins = rules.map((rule, at) => ruling(`rule ${at}`, rule));
    const app = await bootApp(attackedFiles, { plugins, values });
    try {
      await work(app);
    } finally {
      await app.close();
    }
  };
  const secret = {
    SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
    LOG_LEVEL: "silent",
  };

  it("A name that is not listed is served where a rule accepts it, by its name in lower case without a port", async () => {
    const asked: string[] = [];
    const rule: HostRule = (name) => {
      asked.push(name);
      return domains.has(name);
    };
    await withRules([() => false, rule], async (app) => {
      for (const host of ["acme.test", "WWW.Acme.test:8080"]) assert.is(await statusFor(app, host), 404, host);
      for (const host of ["evil.test", "acme.test.evil.test", "notacme.test", "sub.acme.test"])
        assert.is(await statusFor(app, host), 400, host);
      assert.equal(asked, [
        "acme.test",
        "www.acme.test",
        "evil.test",
        "acme.test.evil.test",
        "notacme.test",
        "sub.acme.test",
      ]);
    });
  });
  it("Rules are not asked for listed names, and never for what is no name", async () => {
    const asked: string[] = [];
    const rule: HostRule = (name) => {
      asked.push(name);
      return true;
    };
    await withRules([rule], async (app) => {
      for (const host of ["shop.example", "a.shop.example:80"]) assert.is(await statusFor(app, host), 404, host);
      for (const host of [
        ...[
          "acme.test.",
          ".acme.test",
          "acme..test",
          "*.acme.test",
          "acme.test:80:90",
          "acme.test:123456",
          "[::1]",
          "[::2]:80",
        ],
        ...[
          "acme.test@evil.test",
          "acme.test/evil",
          "acme.test,evil.test",
          "acme test",
          "%61cme.test",
          "x".repeat(254),
        ],
      ])
        assert.is(await statusFor(app, host), 400, host);
      for (const headers of [
        "Host: evil.test\r\nHost: shop.example",
        "X-Forwarded-Host: acme.test",
        "Host:",
        "Host: \xe4cme.test",
        "Host: acme.test\x00",
      ])
        assert.is((await sendRaw(app.url, `GET /plain HTTP/1.1\r\n${headers}\r\n\r\n`)).status, 400, headers);
      const absolute = "GET http://acme.test/plain HTTP/1.1\r\nHost: shop.example\r\n\r\n";
      assert.is((await sendRaw(app.url, absolute)).status, 400);
      assert.equal(asked, []);
    });
  });
  it("A rule that throws, or answers with anything but true, refuses the host, and the next rule is asked", async () => {
    const wrong: unknown[] = [1, "yes", {}, null, undefined, Promise.resolve(true)];
    for (const rule of [...wrong.map((answer) => () => answer), () => Promise.reject(new Error("no"))])
      await withRules([rule as HostRule], async (app) =>
        assert.is(await statusFor(app, "acme.test"), 400, String(rule)),
      );
    const failing: HostRule = () => {
      throw new Error("the table is away");
    };
    await withRules([failing], async (app) => {
      assert.is(await statusFor(app, "acme.test"), 400);
      assert.is(await statusFor(app, "shop.example"), 404);
    });
    await withRules([failing, (name) => domains.has(name)], async (app) => {
      assert.is(await statusFor(app, "acme.test"), 404);
    });
  });
  it("Where no host is listed in production, a rule decides alone", async () => {
    const production = { NODE_ENV: "production", ...secret };
    await withRules(
      [(name) => domains.has(name)],
      async (app) => {
        assert.is(await statusFor(app, "acme.test"), 404);
        assert.is(await statusFor(app, "evil.test"), 400);
        assert.is((await app.request("/healthz")).status, 200);
      },
      production,
    );
    await withRules([], async (app) => assert.is(await statusFor(app, "evil.test"), 404), production);
  });
  it("A rule that is no function, and one that is added after boot, are refused", async () => {
    const error = await throwsCode("FW_HOST_RULE", () => withRules(["acme.test" as never], async () => undefined));
    assert.match(error.message, `the plugin "rule 0" adds a string`);
    await withRules([], async ({ application }) => {
      await throwsCode("FW_REGISTERED_LATE", async () => application.hosts.add(() => true));
    });
  });
});
