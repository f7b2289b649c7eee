import { FramewrightError } from "framewright";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { printedBy } from "../../support/printed.ts";
import { openStates, stateFiles } from "./states_app.ts";

// What an application declares beside its states, under a name that a transition or a tab has too.

const definition = "app/definitions/post_definition.ts";
const policy = "app/policies/post_policy.ts";

/** What the application logs as warnings when it boots. */
const warnedBy = (changes: Record<string, string>): Promise<string> =>
  printedBy(async () => await (await openStates({ LOG_LEVEL: "warn" }, changes)).close());

const definitionWith = (line: string, head = "") => ({
  [definition]: `import { fail, Interaction, ResourceDefinition } from "framewright/plugins/resources";
    import type Post from "#app/models/post.ts";
    ${head}
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() { super.configure(); ${line} }
    }`,
});
const hidden = {
  [policy]: edited(stateFiles, policy, [/\["title", "status", "reason"\] as never/g, '["title"]']),
};

describe("What is declared beside states", (it) => {
  it("An action of a transition's name is refused with what the application's author can rename", async () => {
    const error = await openStates(
      {},
      definitionWith(
        'this.action("submit", { interaction: SubmitPost });',
        'class SubmitPost extends Interaction<Post> { async execute() { return fail({}, "no"); } }',
      ),
    ).then(
      (app) => app.close().then(() => undefined),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof FramewrightError);
    assert.is(error.code, "FW_DEFINITION_ADDED_TWICE");
    assert.match(error.message, 'the plugin "states" adds action("submit") to PostDefinition');
    assert.match(
      error.message,
      "Give one of them another name: in an application the part of the definition, or what the plugin adds it for, as a transition of states().",
    );
  });
  it("The tabs of states by a hidden column are no warning, those that a definition declares are", async () => {
    assert.not.match(await warnedBy(hidden), "the scope");
    const own = definitionWith('this.scope("mine", { apply: (query) => query.where("posts.status", "draft") });');
    const text = await warnedBy({ ...hidden, ...own });
    assert.match(text, /PostDefinition has the scope \\?"mine\\?" by columns/);
  });
});
