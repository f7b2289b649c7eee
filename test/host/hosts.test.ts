import { request } from "node:http";
import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { attackedFiles } from "./attacked.ts";

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
});
