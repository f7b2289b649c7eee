import SwaggerParser from "@apidevtools/swagger-parser";
import type { OpenApiDocument, Operation } from "framewright/plugins/openapi";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { Checker, operationsOf } from "./checker.ts";
import { as, DOCUMENT, documentOf, openapiFiles, openOrders } from "./openapi_app.ts";

const orders = "/customer/{organization_id}/orders";
const schemaOf = (document: OpenApiDocument, name: string) =>
  document.components.schemas[name] as { properties: Record<string, Record<string, unknown>>; required?: string[] };
const idsOf = (document: OpenApiDocument): string[] =>
  operationsOf(document).map(({ operation }) => operation.operationId);

for (const database of await databases({ withPostgres: true })) {
  describe(`Documents of OpenAPI, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openOrders({}, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const send = (id: number, path: string, init: RequestInit = {}) =>
      app.request(`/customer/1/${path}`, { ...init, headers: { ...as(id), ...(init.headers as object) } });
    const write = (id: number, method: string, path: string, body: unknown, headers = {}) =>
      send(id, path, {
        method,
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      });
    /** The answer is as the document of who asked describes it. */
    const described = async (id: number, operationId: string, answer: Response) => {
      const document = await documentOf(app, id);
      const one = operationsOf(document).find(({ operation }) => operation.operationId === operationId)!;
      assert.is(await new Checker(document).problemOf(one, answer.clone()), undefined);
      return (await answer.json()) as { data: Record<string, unknown> & { id: number }; meta?: object };
    };

    can("A portal's document is valid, and says of each field what is read and written", async () => {
      const document = await documentOf(app, 1);
      await SwaggerParser.validate(structuredClone(document) as never);
      const { properties, required } = schemaOf(document, "OrderCreate");
      assert.equal(required, ["reference"]);
      assert.equal(properties.reference, { type: "string", minLength: 1, maxLength: 20, examples: ["Example"] });
      assert.equal(properties.kind?.enum, ["new", "repeat"]);
      assert.equal([properties.quantity?.type, properties.quantity?.maximum], ["integer", 1000]);
      assert.equal(properties.weight?.type, ["string", "null"]);
      assert.match(String(properties.weight?.pattern), "{1,3}");
      assert.equal(properties.sent_at?.format, "date-time");
      assert.equal(properties.labels?.items, { type: "string" });
      assert.equal(Object.keys((properties.address as { properties: object }).properties), [
        "street",
        "postcode",
        "city",
        "country",
      ]);
      assert.not.ok("status" in properties); // transitions alone write it
      assert.equal(properties.website?.description, "Where it was ordered.");
      const shown = schemaOf(document, "Order").properties;
      assert.equal(shown.status?.enum, ["draft", "submitted", "approved", "rejected", null]);
      assert.equal((shown.order_lines as { items: { required: string[] } }).items.required, ["id"]);
      assert.equal(shown.fee?.type, ["string", "null"]);
    });
    can("Lists have their filters with operators, orders, scopes and columns; actions their inputs", async () => {
      const document = await documentOf(app, 1);
      const named = (name: string) =>
        document.components.parameters[`Order_${name}`] as { name: string; schema: object } | undefined;
      assert.equal(named("filter_due_on_from")?.schema, { type: "string", format: "date" });
      assert.is(named("filter_kind_any")?.name, "filter[kind][any][]");
      assert.is(named("filter_size_least")?.name, "filter[size][least]");
      assert.match(JSON.stringify(named("sort")), '"-author"');
      assert.match(JSON.stringify(named("scope")), '"urgent"');
      assert.match(JSON.stringify(named("columns")), '"reference"');
      const { post } = document.paths[`${orders}/{id}/actions/remind.json`]!;
      assert.match(JSON.stringify(post?.requestBody), '"channel":{"type":"string","enum":["mail","post"]');
      assert.is(post?.description, "Sends a reminder.");
      for (const id of [
        "submitOrder",
        "rejectOrder",
        "tidyOrder",
        "approveSelectedOrder",
        "downloadOrderFile",
        "listUserOrganizations",
      ])
        assert.ok(idsOf(document).includes(id), id);
    });
    can("A column that a policy hides from an account is nowhere in its document, nor what it may not do", async () => {
      const document = await documentOf(app, 3);
      assert.not.match(JSON.stringify(document), "internal_cost");
      assert.match(JSON.stringify(await documentOf(app, 1)), "internal_cost");
      assert.ok(idsOf(await documentOf(app, 1)).includes("auditOrder"));
      assert.not.ok(idsOf(document).includes("auditOrder"));
      const whole = await app.application.kernel.service("openapi").documentOf("CustomerPortal");
      await SwaggerParser.validate(structuredClone(whole) as never);
      assert.match(JSON.stringify(whole), "internal_cost");
      assert.not.match(JSON.stringify(whole), 'organization_id":{'); // the tenant is nobody's to choose
    });
    can(
      "Guests have no document, a document that is known is answered 304, and the page has no script of its own",
      async () => {
        assert.is((await app.request(DOCUMENT)).status, 401);
        const answer = await app.request(DOCUMENT, { headers: as(1) });
        assert.is(answer.headers.get("cache-control"), "private, no-cache");
        const again = await app.request(DOCUMENT, {
          headers: { ...as(1), "if-none-match": answer.headers.get("etag")! },
        });
        assert.is(again.status, 304);
        const page = async (path: string) =>
          (await app.request(path, { headers: { ...as(1), accept: "text/html" } })).text();
        const list = await page("/customer/1/openapi");
        assert.match(list, "/customer/1/openapi?tag=Orders");
        const one = await page("/customer/1/openapi?tag=Orders");
        assert.match(one, "POST /customer/{organization_id}/orders.json");
        assert.match(one, "order.reference");
        const scripts = [...one.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
        assert.ok(
          scripts.every((tag) => tag.includes('src="/assets/')),
          scripts.join(),
        );
        assert.not.match(one, / style="/);
      },
    );
    can("Records are created, listed, filtered, changed, moved between states and deleted as it says", async () => {
      const sent = {
        ...{
          reference: "A-1",
          quantity: 5,
          weight: "1.25",
          fee: "12.50",
          due_on: "2026-05-01",
          sent_at: "2026-05-01T10:00:00Z",
        },
        ...{ opens_at: "08:30", serial: "9007199254740993", labels: ["a", "b"], extra: { deep: [1] }, author: 1 },
        ...{ address: { city: "Springfield", country: "US" }, parcels: [{ code: "P1", weight: "2.5", sent: true }] },
        order_lines: [{ name: "Bolts", count: 4, price: "0.50" }],
      };
      const created = await write(1, "POST", "orders.json", { order: sent });
      assert.is(created.status, 201);
      const { data } = await described(1, "createOrder", created);
      const list = await described(
        1,
        "listOrders",
        await send(1, "orders.json?filter[reference][is]=A-1&sort=-reference,id&columns=reference,fee"),
      );
      assert.equal(list.data as unknown, [{ id: data.id, reference: "A-1", fee: "12.50" }]);
      const changed = await write(
        1,
        "PATCH",
        `orders/${data.id}.json`,
        { order: { note: "Soon", unknown: 1 } },
        { "if-match": created.headers.get("etag")! },
      );
      assert.equal((await described(1, "updateOrder", changed)).meta, { ignored: ["unknown"] });
      const stale = await write(
        1,
        "PATCH",
        `orders/${data.id}.json`,
        { order: { note: "Late" } },
        { "if-match": created.headers.get("etag")! },
      );
      assert.is(stale.status, 409);
      await described(1, "updateOrder", stale);
      await described(1, "submitOrder", await write(1, "POST", `orders/${data.id}/actions/submit.json`, {}));
      const refused = await write(1, "POST", `orders/${data.id}/actions/reject.json`, { interaction: {} });
      assert.is(refused.status, 422);
      await described(1, "rejectOrder", refused);
      const gone = await send(1, `orders/${data.id}.json`, { method: "DELETE" });
      assert.is(gone.status, 204);
      assert.is((await send(1, `orders/${data.id}.json`)).status, 404);
    });
    can("Files are uploaded by the form that it describes, and downloaded", async () => {
      const document = await documentOf(app, 1);
      const { post } = document.paths[`${orders}.json`]!;
      const form = (post!.requestBody!.content as Record<string, { schema: { properties: object } }>)[
        "multipart/form-data"
      ]!.schema;
      const names = Object.keys(form.properties);
      for (const name of ["order[reference]", "order[document]", "order[photos][]"])
        assert.ok(names.includes(name), name);
      const body = new FormData();
      body.append("order[reference]", "F-1");
      body.append("order[document]", new File(["As signed."], "signed.txt", { type: "text/plain" }));
      const created = await send(1, "orders.json", { method: "POST", body, headers: { authorization: "Bearer x" } });
      assert.is(created.status, 201);
      const { data } = await described(1, "createOrder", created);
      const { id } = data.document as { id: number };
      const download = await send(1, `orders/${data.id}/files/document/${id}.json`);
      assert.equal([download.status, await download.text()], [200, "As signed."]);
      await described(1, "listOrderFiles", await send(1, `orders/${data.id}/files/document.json`));
    });
    can("What depends on a record is described as such: its author alone reads a remark", async () => {
      const own = await described(3, "getOrder", await send(3, "orders/1.json"));
      assert.is(own.data.remark, "Mine");
      const other = await described(3, "getOrder", await send(3, "orders/2.json"));
      assert.not.ok("remark" in other.data);
      assert.equal(schemaOf(await documentOf(app, 3), "Order").required, ["id"]);
    });
  });
}

describe("Documents of OpenAPI", (it) => {
  it("Two boots write the same bytes, whoever asks first", async () => {
    const texts: string[] = [];
    for (const seen of [1, 2]) {
      const app = await openOrders();
      try {
        if (seen === 2) await documentOf(app, 1); // whoever asks first
        texts.push(await (await app.request(DOCUMENT, { headers: as(3) })).text());
      } finally {
        await app.close();
      }
    }
    assert.is(texts[0], texts[1]);
  });
  it("Without its line there is no route, and no text of it", async () => {
    const config = edited(
      openapiFiles,
      "plugins.config.ts",
      [/import \{ openapi \} [^\n]*\n/, ""],
      ["openapi(), ", ""],
    );
    const app = await openOrders({ "plugins.config.ts": config });
    try {
      assert.is((await app.request(DOCUMENT, { headers: as(1) })).status, 404);
      assert.not.ok(app.application.routes().some(({ path }) => path.includes("openapi")));
      assert.not.ok(app.application.kernel.has("openapi"));
    } finally {
      await app.close();
    }
  });
  it("An opened portal's whole document is read by guests; a portal that there is not, or of tenants, is refused at boot", async () => {
    const opening = (portal: string) => ({
      "plugins.config.ts": edited(openapiFiles, "plugins.config.ts", [
        "openapi()",
        `openapi({ open: ["${portal}"], version: "2.0.0" })`,
      ]),
    });
    const refusal = async (portal: string) => {
      try {
        await (await openOrders(opening(portal))).close();
        return "";
      } catch (error) {
        return String(error);
      }
    };
    assert.match(await refusal("CustomerPortl"), 'Did you mean "CustomerPortal"?');
    assert.match(await refusal("CustomerPortal"), "FW_OPENAPI_OPEN_TENANT");
  });
  it("A third party's plugin describes its type of fields, its routes, and the document", async () => {
    const config = edited(
      openapiFiles,
      "plugins.config.ts",
      ["widening,", "widening, acme,"],
      [
        "const widening",
        `const acme = definePlugin({ name: "acme", requires: ["resources", "openapi", "host"], apply({ hooks }) {
  hooks.openapi.schema.tap("acme", ({ as, attribute, direction }) => attribute?.name === "reference" && direction === "read" ? { type: "string", pattern: "^[A-Z]" } : undefined);
  hooks.openapi.operation.tap({ name: "acme", portal: "CustomerPortal" }, ({ route, path, parts }) => route.pattern.endsWith("/preview") ? [{ verb: "get", operation: { operationId: parts.operationId("preview"), summary: "Preview", responses: parts.answers({ 200: parts.json("Seen.", {}) }) } }] : undefined);
  hooks.openapi.document.tap("acme", ({ document }) => { document.info = { ...document.info, title: "Acme" }; });
} });
const widening`,
      ],
    );
    const app = await openOrders({ "plugins.config.ts": config });
    try {
      const document = await documentOf(app, 1);
      assert.is(document.info.title, "Acme");
      assert.is(schemaOf(document, "Order").properties.reference?.pattern, "^[A-Z]");
      assert.ok(idsOf(document).includes("preview"));
      const listed: Operation = document.paths["/customer/{organization_id}/posts/{id}/preview.json"]!.get!;
      assert.equal(listed.tags, ["Posts"]);
    } finally {
      await app.close();
    }
  });
});
