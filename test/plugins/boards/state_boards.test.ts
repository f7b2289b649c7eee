import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { visitor } from "../resources/tasks_app.ts";
import { openStates, stateFiles } from "../states/states_app.ts";
import { openWizards } from "../wizards/mounts_support.ts";
import { cardIn, lanesIn } from "./boards_app.ts";

const config = { "plugins.config.ts": withPlugin(stateFiles["plugins.config.ts"]!, "boards()", "boards") };
const board = "/admin/posts?shape=board";

for (const database of await databases({ withPostgres: true })) {
  describe(`A board by states, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openStates(await database.values(), config);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(app.application).knex;
    const page = async (user = "1") => (await app.request(board, { headers: { "x-user": user } })).text();
    const become = (status: string) => knex()("posts").where({ id: 1 }).update({ status });
    const stored = async () => ((await knex()("posts").where({ id: 1 }).first()) as { status: string }).status;
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("comments").where({ post_id: 1 }).delete();
        await become("draft");
        await story();
      });

    can("Without a declaration a list of records with states has one, a column for each state", async () => {
      assert.equal(Object.keys(lanesIn(await page())), ["draft", "submitted", "approved", "rejected"]);
      assert.ok(lanesIn(await page()).draft?.cards.includes("1"));
    });

    can("A card goes where its transitions lead; one that asks for something leads to its form", async () => {
      const draft = cardIn(await page(), 1);
      assert.match(
        draft,
        /action="\/admin\/posts\/1\/transitions\/submit".*data-to="submitted">Submitted <small>Submit</s,
      );
      assert.not.match(draft, /data-to="(?:approved|rejected)"/);
      await become("submitted");
      const submitted = cardIn(await page(), 1);
      assert.match(
        submitted,
        /<a class="fw-dropdown-item" data-to="rejected" href="\/admin\/posts\/1\/actions\/reject\?return_to=/,
      );
      assert.not.match(submitted, 'data-to="approved"', "its guard refuses it: nobody has commented on it");
      await knex()("comments").insert({ post_id: 1, title: "Fine" });
      assert.match(cardIn(await page(), 1), 'data-to="approved"');
      assert.not.match(cardIn(await page("2"), 1), 'data-to="approved"', "the policy refuses it");
    });

    can("A move is the transition, with its guard, its policy and its reason", async () => {
      const send = async (name: string, user = "1") => {
        const answer = await app.request(`/admin/posts/1/transitions/${name}`, {
          method: "POST",
          headers: { "x-user": user, accept: "application/json", "content-type": "application/json" },
          body: "{}",
        });
        return { status: answer.status, text: await answer.text() };
      };
      assert.is((await send("submit")).status, 200);
      const guarded = await send("approve");
      assert.is(guarded.status, 422);
      assert.match(guarded.text, "Nobody has commented on it.");
      assert.is((await send("approve", "2")).status, 403);
      assert.is(await stored(), "submitted");
    });

    can(
      "Without JavaScript the form of a card takes it through its transition, and leads back to the board",
      async () => {
        const visit = visitor(app, { "x-user": "1" });
        const form = /<form method="post" action="(\/admin\/posts\/1\/transitions\/submit)">(.*?)<\/form>/s.exec(
          cardIn(await (await visit(board)).text(), 1),
        );
        const inputs = [...form![2]!.matchAll(/name="([^"]*)" value="([^"]*)"/g)];
        const pairs = inputs.map(([, name, value]) => [name!, value!.replaceAll("&amp;", "&")] as [string, string]);
        const body = new URLSearchParams(pairs);
        const answer = await visit(form![1]!, { method: "POST", body, redirect: "manual" });
        assert.equal([answer.status, answer.headers.get("location")], [303, board]);
        assert.is(await stored(), "submitted");
      },
    );

    can("The column of states is no field of the board's own route", async () => {
      const answer = await app.request("/admin/posts/1/board", {
        method: "POST",
        headers: { "x-user": "1", accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ post: { status: "approved" } }),
      });
      assert.is(answer.status, 404);
      assert.is(await stored(), "draft");
    });
  });
}

describe("Boards that a definition declares", (it) => {
  const definition = (line: string) => ({
    ...stateFiles,
    ...config,
    "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
import type {} from "framewright/plugins/boards";
export default class PostDefinition extends ResourceDefinition { override configure() { super.configure(); ${line} } }`,
  });
  const refusal = async (line: string, files = definition(line)): Promise<string> => {
    try {
      await (await openWizards(files)).close();
    } catch (error) {
      return String((error as Error).message);
    }
    return "";
  };

  it("What the model does not have is refused at boot, by its name", async () => {
    assert.match(
      await refusal('this.board({ by: "title" as never });'),
      'the columns of "title", which has no choices',
    );
    assert.match(await refusal("this.board({ limits: { aproved: 2 } });"), 'Did you mean "approved"?');
    assert.match(await refusal('this.board({ card: { facts: ["tittle" as never] } });'), 'names "tittle" as a fact');
    assert.match(await refusal("this.board({ colour: 1 } as never);"), 'has the option "colour"');
    assert.match(await refusal("this.board({ limits: { draft: 0 } });"), "limits are whole numbers from 1");
    assert.is(await refusal("this.board(false);"), "");
  });
  it("Without its plugin a declaration is refused with the line to add", async () => {
    const files = { ...definition("this.board();"), "plugins.config.ts": stateFiles["plugins.config.ts"]! };
    assert.match(await refusal("", files), /calls "board".*Add boards\(\) of "framewright\/plugins\/boards"/s);
  });
});
