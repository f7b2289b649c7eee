import { messageOf } from "framewright/kernel";
import { assert, describe, throwsCode } from "../support/index.ts";
import { openShop } from "../support/shop.ts";

// What the system, drivers and Node answer is a sentence with a code.

describe("Failures that others word", (it) => {
  it("An address that is taken, or that there is not, is FW_LISTEN with what to do", async () => {
    const app = await openShop();
    try {
      const port = Number(new URL(app.url).port);
      const taken = await throwsCode("FW_LISTEN", () => app.application.listen(port, "127.0.0.1"));
      assert.match(taken.message, `127.0.0.1:${port}: another process listens there`);
      const foreign = await throwsCode("FW_LISTEN", () => app.application.listen(0, "192.0.2.1"));
      assert.match(foreign.message, "this machine has no such address");
      const resources = app.application.kernel.service("resources");
      await throwsCode("FW_RESOURCE_URL_NOTHING", () => resources.urlFor(null as never, { portal: "AdminPortal" }));
    } finally {
      await app.close();
    }
  });
  it("A failed fetch has its cause", async () => {
    const error = await fetch("http://127.0.0.1:1/").catch((cause: unknown) => cause);
    assert.match(messageOf(error), /^fetch failed: .+/);
  });
});
