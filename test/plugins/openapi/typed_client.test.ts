import type { OpenApiDocument } from "framewright/plugins/openapi";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { schemaMigration } from "../attachments/attachments_app.ts";
import { EMAIL, PASSWORD } from "../jwt/api.ts";
import { as, documentOf, openapiFiles, openOrders } from "./openapi_app.ts";
import { openProgramNotes, signIn } from "./program_notes.ts";
import { type Answer, type Client, refusalOf, writeClient } from "./write_client.ts";

const plugins = [
  ["idempotency", "idempotency"],
  ["jsonApi", "json_api"],
  ["bulkCreate", "bulk_create"],
] as const;
const withKeys = {
  "plugins.config.ts": plugins.reduce(
    (text, [factory, name]) => withPlugin(text, `${factory}()`, name),
    openapiFiles["plugins.config.ts"]!,
  ),
  "db/migrate/20260403000000_create_framewright_idempotency.ts": schemaMigration("idempotency"),
};
/** A request as a client sent it. */
interface Sent {
  readonly url: string;
  readonly init: RequestInit & { headers: Headers };
}

for (const database of await databases()) {
  describe(`A client that a document was written into, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let create: (options?: object) => Client;
    let client: Client;
    const sent: Sent[] = [];
    /** What becomes of the next requests in place of an answer, or of the answer after it came. */
    const failures: ((answer: () => Promise<Response>) => Promise<Response>)[] = [];

    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    if (database.skip === undefined) {
      before(async () => {
        app = await openOrders(withKeys, await database.values());
        const written = await writeClient(await documentOf(app, 1));
        assert.is(written.name, "CustomerClient");
        const send = (url: string, init: Sent["init"]): Promise<Response> => {
          sent.push({ url, init });
          const answer = () => fetch(url, init);
          return (failures.shift() ?? ((own) => own()))(answer);
        };
        create = (options) =>
          written.create({
            url: `${app.url}/`,
            organization_id: 1,
            headers: as(1),
            token: "of-a-program",
            fetch: send,
            ...options,
          });
        client = create();
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }

    can("Creates, reads, changes and deletes, and an error says what is wrong by field", async () => {
      const made = await client.createOrder!({ reference: "C-1", quantity: 3, labels: ["a", "b"], fee: "12.50" });
      const { id, ...own } = made.data;
      assert.equal([own.reference, own.quantity, own.labels, own.fee], ["C-1", 3, ["a", "b"], "12.50"]);
      assert.is(made.status, 201);
      assert.match(String(made.location), `/customer/1/orders/${id}`);
      assert.is(Object.keys(made).includes("etag"), false, "facts are beside the answer");
      const read = await client.getOrder!(id);
      assert.is(read.etag, made.etag);
      const changed = await client.updateOrder!(id, { quantity: 4 }, { ifMatch: read.etag });
      assert.is(changed.data.quantity, 4);
      const conflict = await refusalOf(client.updateOrder!(id, { quantity: 5 }, { ifMatch: read.etag }));
      assert.is(conflict.status, 409);
      const wrong = await refusalOf(client.createOrder!({ reference: "", quantity: 0 }));
      assert.equal([wrong.status, wrong.on("nothing").length], [422, 0]);
      assert.ok(wrong.on("reference").length > 0 && wrong.on("quantity").length > 0, JSON.stringify(wrong.errors));
      assert.match(wrong.code, /^FW_/);
      const ignored = await client.createOrder!({ reference: "C-2", colour: "red" });
      assert.equal(ignored.meta.ignored, ["colour"]);
      const strict = await refusalOf(client.createOrder!({ reference: "C-3", colour: "red" }, { strict: true }));
      assert.is(strict.status, 422);
      assert.is(await client.deleteOrder!(id), undefined);
      assert.is((await refusalOf(client.getOrder!(id))).status, 404);
      const odd = await refusalOf(client.getOrder!("../posts/1?x=#"));
      assert.ok([400, 404].includes(odd.status));
      assert.match(sent.at(-1)!.url, "/orders/..%2Fposts%2F1%3Fx%3D%23.json");
      const foreign = await refusalOf(create({ organization_id: 2 }).listOrders!());
      assert.is(foreign.status, 404);
    });

    can("Lists with filters, orders and columns, and goes through all records by cursor", async () => {
      const { knex } = databaseOf(app.application);
      const rows = Array.from({ length: 25 }, (_, at) => ({
        reference: `L-${String(at).padStart(2, "0")}`,
        status: at % 2 ? "draft" : "submitted",
        kind: "new",
        quantity: at + 100,
        organization_id: 1,
        created_at: "2026-03-01 10:00:00.000",
        updated_at: "2026-03-01 10:00:00.000",
      }));
      await knex("orders").insert(rows);
      const query = { filter: { reference: { begins: "L-" }, status: { any: ["draft"] } }, sort: ["-quantity", "id"] };
      const page = await client.listOrders!({ ...query, per_page: 5, columns: ["reference", "quantity"] });
      const data = page.data as unknown as Record<string, unknown>[];
      assert.equal(
        data.map(({ reference }) => reference),
        ["L-23", "L-21", "L-19", "L-17", "L-15"],
      );
      assert.equal(Object.keys(data[0]!), ["id", "reference", "quantity"]);
      assert.is(page.meta.total, 12);
      const before = sent.length;
      const all: unknown[] = [];
      for await (const order of client.iterateOrders!({ ...query, per_page: 5 })) {
        if (all.length === 2) await knex("orders").insert({ ...rows[1]!, reference: "L-99", quantity: 999 }); // before the pages that were read
        all.push(order.reference);
      }
      assert.equal(
        all,
        Array.from({ length: 12 }, (_, at) => `L-${String(23 - 2 * at).padStart(2, "0")}`),
      );
      assert.is(sent.length - before, 3);
      assert.match(sent.at(-1)!.url, "after=");
      const found = await client.listOrders!({ q: "L-03", filter: { quantity: { from: 1, to: 1000, empty: "0" } } });
      assert.is((found.data as unknown as unknown[]).length, 1);
    });

    can("Creates several records at once, all or none or each by itself, and reads what records refer to", async () => {
      const list = [{ reference: "S-1", author: 1 }, { reference: "" }];
      const refused = await refusalOf(client.createOrders!(list));
      assert.is(refused.status, 422);
      assert.is(refused.on("1.reference").length, 1);
      const each = await client.createOrders!(list, { prefer: "continue-on-error" });
      const results = each.data as unknown as { status: number; data: { id: number } }[];
      assert.equal([each.status, ...results.map(({ status }) => status)], [207, 201, 422]);
      const all = await client.createOrders!([{ reference: "S-2" }, { reference: "S-3" }]);
      assert.is((all.data as unknown as object[]).length, 2);
      const { data } = await client.getOrder!(results[0]!.data.id, { include: ["author"] });
      assert.is((data.included as { author: { name: string } }).author.name.length > 0, true);
    });

    can("Moves states, runs actions with their inputs and on many records, and reads files", async () => {
      const { id } = (await client.createOrder!({ reference: "A-1" })).data;
      await client.submitOrder!(id);
      const refused = await refusalOf(client.rejectOrder!(id, {}));
      assert.is(refused.status, 422);
      await client.rejectOrder!(id, { reason: "Too late" });
      assert.is((await client.getOrder!(id)).data.status, "rejected");
      const bulk = await client.submitSelectedOrder!({ ids: [id] });
      assert.equal(bulk.data.done, [id]);
      const answer = await client.auditOrder!(id);
      assert.is(await answer.text(), "All is well.");
      const text = new File(["As agreed."], "agreed.txt", { type: "text/plain" });
      const filed = await client.createOrder!({
        reference: "A-2",
        urgent: true,
        note: null,
        document: text,
        labels: ["x", "y"],
        parcels: [{ code: "P1", weight: "1.5" }],
        order_lines: [{ name: "Nails", price: "0.10" }],
      });
      const { data } = filed as Answer & { data: { document: { id: number; name: string }; order_lines: object[] } };
      assert.is(data.document.name, "agreed.txt");
      assert.equal([data.urgent, data.note, data.labels, data.order_lines.length], [true, null, ["x", "y"], 1]);
      assert.equal(
        (data.parcels as { code: string }[]).map(({ code }) => code),
        ["P1"],
      );
      const file = await client.downloadOrderFile!(data.id, "document", data.document.id);
      assert.is(await file.text(), "As agreed.");
      const kept = await client.updateOrder!(data.id, { document: null });
      assert.is(kept.data.document, null);
    });

    can("Sends again what nobody answered, under one key, and nothing that could be done twice", async () => {
      const lost = async (answer: () => Promise<Response>): Promise<Response> => {
        await answer();
        throw new TypeError("fetch failed");
      };
      const busy = (status: number) => async () =>
        new Response(JSON.stringify({ code: "FW_BUSY" }), { status, headers: { "retry-after": "0" } });
      const count = async (reference: string) =>
        (await databaseOf(app.application).knex("orders").where({ reference })).length;
      const start = sent.length;
      failures.push(lost, busy(503));
      const made = await client.createOrder!({ reference: "K-1" });
      assert.is(made.status, 201);
      assert.is(await count("K-1"), 1);
      const keys = sent.slice(start).map(({ init }) => init.headers.get("idempotency-key"));
      assert.is(keys.length, 3);
      assert.is(new Set(keys).size, 1);
      assert.match(String(keys[0]), /^[\da-f-]{36}$/);
      failures.push(lost);
      const again = await client.createOrder!({ reference: "K-2" }, { idempotencyKey: "mine" });
      const earlier = await create().createOrder!({ reference: "K-2" }, { idempotencyKey: "mine" });
      assert.is(earlier.data.id, again.data.id);
      failures.push(lost);
      assert.is(await client.deleteOrder!(again.data.id), undefined);
      failures.push(lost, lost, lost);
      await client.listOrders!().then(
        () => assert.unreachable("three failures are too many"),
        ({ message }: Error) => assert.is(message, "fetch failed"),
      );
      failures.push(busy(500));
      assert.is((await refusalOf(client.listOrders!())).status, 500);
      const { etag } = await client.getOrder!(made.data.id);
      failures.push(lost);
      await client.updateOrder!(made.data.id, { quantity: 9 }, { ifMatch: etag }).then(
        () => assert.unreachable("a change of a version is not repeated"),
        ({ message }: Error) => assert.is(message, "fetch failed"),
      );
      failures.push(busy(429));
      await client.updateOrder!(made.data.id, { quantity: 10 });
      const stopped = AbortSignal.abort(new Error("No longer needed"));
      await client.listOrders!({}, { signal: stopped }).then(
        () => assert.unreachable("it was stopped"),
        ({ message }: Error) => assert.is(message, "No longer needed"),
      );
      const hangs = create({
        timeout: 20,
        retries: 0,
        fetch: async (_: string, { signal }: RequestInit) => {
          await new Promise((_resolve, reject) =>
            signal!.addEventListener("abort", () => reject(signal!.reason as Error)),
          );
        },
      });
      await hangs.listOrders!().then(
        () => assert.unreachable("it takes too long"),
        ({ name }: Error) => assert.is(name, "TimeoutError"),
      );
    });
  });
}

describe("A client's sign-in", (it, { before, after }) => {
  let app: TestApp;
  let create: (options: object) => Client;
  const paths: string[] = [];
  const login = { login: EMAIL, password: PASSWORD };
  before(async () => {
    app = await openProgramNotes("openapi()");
    const { access_token } = await signIn(app);
    const headers = { authorization: `Bearer ${access_token}` };
    const document = (await (await app.request("/api_user/openapi.json", { headers })).json()) as OpenApiDocument;
    const written = await writeClient(document);
    const send = (url: string, init: RequestInit): Promise<Response> => {
      paths.push(new URL(url).pathname);
      return fetch(url, init);
    };
    create = (options) => written.create({ url: app.url, fetch: send, ...options });
  });
  after(() => app.close());
  const times = (path: string) => paths.filter((one) => one === path).length;

  it("Signs in with the first request, and renews tokens once for all requests that wait for them", async () => {
    const tokens: { access_token: string; refresh_token: string }[] = [];
    const onTokens = (pair: (typeof tokens)[0]) => tokens.push(pair);
    const client = create({ login, onTokens });
    const titles = await Promise.all(["a", "b", "c"].map((title) => client.createNote!({ title })));
    assert.is(titles.length, 3);
    assert.equal([times("/api_users/login"), tokens.length], [1, 1]);
    const spoilt = { ...tokens[0]!, access_token: "expired" };
    const other = create({ tokens: spoilt, onTokens });
    await Promise.all(Array.from({ length: 5 }, () => other.listNotes!()));
    assert.equal([times("/api_users/jwt-refresh"), times("/api_users/login"), tokens.length], [1, 1, 2]);
    const stale = create({ tokens: { access_token: "expired", refresh_token: "spent" }, login, onTokens });
    await stale.listNotes!();
    assert.equal([times("/api_users/jwt-refresh"), times("/api_users/login")], [2, 2]);
  });

  it("Throws the refusal where a password, a key or a refresh token is none", async () => {
    const wrong = await refusalOf(create({ login: { login: EMAIL, password: "wrong" } }).listNotes!());
    assert.is(wrong.status, 401);
    const spent = create({ tokens: { access_token: "expired", refresh_token: "spent" } });
    assert.is((await refusalOf(spent.listNotes!())).status, 401);
    assert.is((await refusalOf(create({}).listNotes!())).status, 401);
    const { access_token } = await signIn(app);
    assert.is((await create({ token: async () => access_token }).listNotes!()).status, 200);
  });
});
