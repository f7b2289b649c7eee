import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { type FieldsApp, hiddenIn, openFieldsApp } from "../resources/fields_app.ts";

// Fields of a wizard's step that depend on the step's other answers, on earlier steps and on who asks.

const launch = "/customer/1/posts/1/wizards/question";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Fields of a step that depend on others, on ${database.name}`, (it, { before, after }) => {
    let app: FieldsApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openFieldsApp(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const start = (user = 3) => app.json(launch, undefined, "GET", user);
    const send = async (wizard: object, step = "ask", user = 3) => {
      await start(user);
      const { status, body } = await app.json(`${launch}/${step}`, { wizard }, "POST", user);
      return { status, wrong: Object.keys(body.errors ?? {}).sort() };
    };
    const stored = async (step = "ask") =>
      (await app.json(`${launch}/${step}`, undefined, "GET", 3)).body.data.values as Record<string, unknown>;

    can("An answer of a step that is not shown is not required, and what is sent for it is ignored", async () => {
      const place = { city: "forged" };
      assert.equal((await send({ kind: "spam", detail: "much", more: "x", loud: true, place })).wrong, []);
      const { detail, more, loud, place: none, title } = await stored();
      assert.equal([detail, more, loud, none, title], [null, null, false, null, "Post Alpine"]);
      assert.equal((await send({ kind: "other" })).wrong, ["detail", "place.city"]);
      assert.equal((await send({ kind: "other", detail: "much", place: { city: "Bern" } })).wrong, ["more"]);
      const notes = [{ text: "why" }, { text: "so", why: "forged" }];
      assert.equal((await send({ kind: "spam", notes })).wrong, ["notes.0.why"]);
      assert.equal((await send({ kind: "spam", notes: [notes[1]] })).wrong, []);
      assert.equal((await stored()).notes, [{ text: "so", why: null }]);
    });
    can("Records and choices of a step are those of the tenant, and others are as absent ones", async () => {
      for (const person of [2, 999, "x"]) assert.equal((await send({ kind: "spam", person })).wrong, ["person"]);
      for (const comment of ["2", "x"]) assert.equal((await send({ kind: "spam", comment })).wrong, ["comment"]);
      assert.equal((await send({ kind: "spam", sub: "none" })).wrong, ["sub"]);
      const html = await app.page(`${launch}/ask`, 3);
      assert.not.match(html, /Baltic/);
      const { body } = await app.json(`${launch}/ask?_search=person&q=Ann`, undefined, "GET", 3);
      assert.equal(body.data, [{ id: 1, label: "Ann Alpine" }] as never);
      for (const name of ["kind", "absent", "notes.0.text"])
        assert.is((await app.json(`${launch}/ask?_search=${name}`, undefined, "GET", 3)).status, 404);
      assert.equal((await send({ kind: "spam", person: 1, comment: "1", sub: "link" })).wrong, []);
    });
    can("An earlier answer that changes takes the answers with it that it showed", async () => {
      await send({ kind: "spam" });
      assert.equal((await send({ remark: "kept", last: "x" }, "after")).wrong, []);
      assert.is((await stored("after")).remark, "kept");
      await send({ kind: "other", detail: "d", place: { city: "Bern" } });
      assert.is((await stored("after")).remark, null);
      const review = await app.page(`${launch}/review`, 3);
      assert.match(review, "Bern");
      assert.not.match(review, /Remark/);
    });
    can("Without scripts a step comes back with the fields that its answers ask for", async () => {
      await start(1);
      const path = `${launch}/ask`;
      const first = await app.page(path, 1);
      assert.not.match(first, /name="wizard\[detail\]"/);
      const typed = { "wizard[kind]": "other" };
      const back = await app.send(path, typed, 1);
      assert.is(back.status, 422);
      for (const name of ["detail", "loud", "place][city"]) assert.match(back.html, `name="wizard[${name}]"`);
      assert.match(back.html, "Your answers need a little more");
      assert.is(hiddenIn(back.html)["wizard[_dynamic]"], "detail loud comment sub place");
      const refreshed = await app.send(path, { "wizard[kind]": "spam", _refresh: "1" }, 1);
      assert.is(refreshed.status, 422);
      assert.match(refreshed.html, /<option value="link">/);
      assert.not.match(refreshed.html, /name="wizard\[detail\]"|fw-error-summary/);
      const done = await app.send(path, { ...typed, "wizard[detail]": "x", "wizard[place][city]": "Bern" }, 1);
      assert.is(done.status, 422, "the page before did not show these fields");
      const shown = { "wizard[_dynamic]": "detail loud comment sub place" };
      const sent = { ...typed, ...shown, "wizard[detail]": "x", "wizard[place][city]": "Bern" };
      assert.is((await app.send(path, sent, 1)).status, 303);
    });
  });
}
