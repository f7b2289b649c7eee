import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openPermits } from "./permits_app.ts";

// What a program sends and nobody reads is refused, or named: it may have been meant to act on less, or to be stored.

const headers = { "x-user": "1", accept: "application/json", "content-type": "application/json" };

for (const database of await databases()) {
  describe(`Keys that nothing reads, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openPermits({}, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const send = async (method: string, path: string, body: object, more: Record<string, string> = {}) => {
      const answer = await app.request(`/staff/1${path}`, {
        method,
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      });
      return { answer, body: (await answer.json()) as Record<string, Record<string, unknown>> };
    };

    can("A bulk action whose body has a filter is refused by name, and nothing is done", async () => {
      for (const wrong of [
        { all: true, filter: { state: "draft" } },
        { ids: [3], q: "x" },
        { id: [3], ids: [3] },
      ]) {
        const { answer, body } = await send("POST", "/documents/bulk/destroy", wrong);
        assert.is(answer.status, 422);
        const [unknown] = Object.keys(wrong).filter((key) => !["all", "ids"].includes(key));
        assert.equal(Object.keys(body.errors!), [unknown]);
      }
      const [{ count }] = (await databaseOf(app.application).knex("documents").count("* as count")) as [
        { count: number },
      ];
      assert.is(Number(count), 2);
    });
    can("Attributes of a record that are unknown or not permitted are named, and the others are written", async () => {
      const permit = { number: "P-9", street: "New 1", state: "open", name: "N", email: "n@example.com" };
      const made = await send("POST", "/permits", { permit: { ...permit, town_id: 2, colour: "red" } });
      assert.is(made.answer.status, 201);
      assert.equal(made.body.meta, { ignored: ["town_id", "colour"] });
      const invalid = await send("POST", "/permits", {
        permit: { ...permit, number: "x".repeat(1000), colour: "red" },
      });
      assert.equal([invalid.answer.status, invalid.body.meta], [422, { ignored: ["colour"] }]);
      const id = made.body.data!.id;
      const changed = await send("PATCH", `/permits/${id}`, { permit: { id, street: "New 2", colour: "red" } });
      assert.equal(changed.body.meta, { ignored: ["colour"] });
      const plain = await send("PATCH", `/permits/${id}`, { permit: { street: "New 3" } });
      assert.equal(Object.keys(plain.body), ["data"]);
      assert.is(plain.answer.headers.get("preference-applied"), null);
    });
    can("Who prefers strict handling is refused, and nothing is written", async () => {
      const strict = { prefer: "return=minimal, handling=strict" };
      const { answer, body } = await send(
        "PATCH",
        "/permits/3",
        { permit: { street: "Strict 1", colour: "red" } },
        strict,
      );
      assert.is(answer.status, 422);
      assert.equal(Object.keys(body.errors!), ["colour"]);
      assert.is(answer.headers.get("preference-applied"), "handling=strict");
      const row = await databaseOf(app.application).knex("permits").where({ id: 3 }).first();
      assert.is(row.street, "Parkallee 3");
      const done = await send("PATCH", "/permits/3", { permit: { street: "Strict 2" } }, strict);
      assert.is(done.answer.status, 200);
      assert.is(done.answer.headers.get("preference-applied"), "handling=strict");
    });
  });
}
