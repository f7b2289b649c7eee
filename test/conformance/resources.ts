// What every filler of the slot "resources" must do. Uses node:assert alone, so that it runs under any test runner:
// for (const { sentence, check } of resourcesConformance) test(sentence, () => check({ plugins: [...standard, mine()] })).
import assert from "node:assert/strict";
import { HttpError } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import { allows, type ResourceRequest, type Resources } from "framewright/plugins/resources";
import type { TestApplication } from "framewright/testing";
import { type Answer, type Asked, ask, refusal, type Subject, within } from "./support/application.ts";
import { noteFiles, noteTables } from "./support/notes.ts";

/** An application with the slots `database`, `sessions`, `views`, `layout`, `portals` and `resources`. */
export type ResourcesSubject = Subject;
export interface ResourcesCheck {
  sentence: string;
  check(subject: ResourcesSubject): Promise<void>;
}

/** What is done with the service, as a request of a person to the notes sees it. */
type Work = (
  resources: Resources,
  controller: ResourceRequest,
  models: (name: string) => ModelInfo,
) => Promise<unknown>;

/** The tables have rows before anything is read, and `GET /desk/notes/:id/conformance` runs the work of a check. */
function probe(room: { work?: Work }): Plugin {
  return definePlugin({
    name: "conformance",
    requires: ["database", "resources"],
    apply({ services: { database, resources }, hooks }) {
      hooks.kernel.configure.tapPromise({ name: "conformance", stage: 1000 }, async () => {
        for (const [table, rows] of Object.entries(noteTables)) await database.knex(table).insert([...rows]);
      });
      resources.addActions({
        conformance: async (controller) => {
          const found = await room.work!(resources, controller, (name) => database.model(name));
          return controller.json({ data: found ?? null });
        },
      });
      hooks.resources.place.tap("conformance", ({ about, member, draw }) => {
        if (about.registration.constant === "Note" && !about.parent)
          draw("GET", `${member}/conformance`, { action: "conformance", policy: "canRead" });
      });
    },
  });
}

/** The notes as people ask for them, and the service in a request of theirs. */
class Notes {
  readonly app: TestApplication;
  readonly #room: { work?: Work };

  constructor(app: TestApplication, room: { work?: Work }) {
    this.app = app;
    this.#room = room;
  }
  ask(person: number | undefined, path: string, { body, ...more }: Asked = {}): Promise<Answer> {
    const who: Record<string, string> = person === undefined ? {} : { "x-conformance-person": String(person) };
    const sent: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    return ask(this.app, `/desk${path}`, {
      ...more,
      ...(body === undefined ? {} : { body }),
      headers: { accept: "application/json", ...sent, ...who, ...more.headers },
    });
  }
  async data<T>(person: number | undefined, path: string, more?: Asked): Promise<T> {
    const answer = await this.ask(person, path, more);
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`);
    return (JSON.parse(answer.text) as { data: T }).data;
  }
  /** What the work gives, as JSON, in a request of a person. */
  async inside<T>(person: number, work: Work): Promise<T> {
    this.#room.work = work;
    return this.data<T>(person, "/notes/1/conformance.json");
  }
}

async function withNotes(subject: ResourcesSubject, work: (notes: Notes) => Promise<void>): Promise<void> {
  const room: { work?: Work } = {};
  const files = { ...noteFiles, ...subject.files };
  await within({ ...subject, files }, [probe(room)], (app) => work(new Notes(app, room)));
}

const titles = (records: readonly BaseModel[]) =>
  records.map((record) => (record as unknown as { title: string }).title);
const statusOf = (run: () => Promise<unknown>): Promise<number | undefined> =>
  run().then(
    () => undefined,
    (error: unknown) => (error instanceof HttpError ? error.status : Promise.reject(error)),
  );

export const resourcesConformance: readonly ResourcesCheck[] = [
  {
    sentence:
      "A list and a record have what the policy permits: other people's records and hidden columns are as if absent",
    check: (subject) =>
      withNotes(subject, async (notes) => {
        const list = await notes.data<Record<string, unknown>[]>(1, "/notes.json");
        assert.deepEqual(list.map(({ title }) => title).sort(), ["Ann's first", "Ann's second"]);
        assert.ok(!JSON.stringify(list).includes("hidden-ann"));
        const { title } = await notes.data<{ title: string }>(1, "/notes/1.json");
        assert.equal(title, "Ann's first");
        const [foreign, missing] = [await notes.ask(1, "/notes/2.json"), await notes.ask(1, "/notes/999.json")];
        assert.deepEqual([foreign.status, missing.status], [404, 404]);
        assert.equal((await notes.ask(undefined, "/notes.json")).status >= 400, true);
      }),
  },
  {
    sentence: "A record is written by permitted attributes alone, checked by its model's rules",
    check: (subject) =>
      withNotes(subject, async (notes) => {
        const body = (note: object) => JSON.stringify({ note });
        const made = await notes.data<{ id: number }>(1, "/notes.json", {
          method: "POST",
          body: body({ title: "New", secret: "written", person_id: 2 }),
        });
        const [row] = await notes.app.application.kernel.service("database").knex("notes").where({ id: made.id });
        assert.equal((row as { secret: unknown }).secret ?? null, null);
        assert.notEqual(Number((row as { person_id: unknown }).person_id), 2);
        const refused = await notes.ask(1, "/notes/1.json", { method: "PATCH", body: body({ title: "" }) });
        assert.equal(refused.status, 422);
        assert.ok(/"title"/.test(refused.text), refused.text);
        assert.equal(
          (await notes.ask(1, "/notes/2.json", { method: "PATCH", body: body({ title: "Mine" }) })).status,
          404,
        );
        assert.equal((await notes.ask(1, "/notes/1.json", { method: "DELETE" })).status, 403);
        assert.equal((await notes.ask(1, "/notes/3.json", { method: "DELETE" })).status, 204);
      }),
  },
  {
    sentence: "A nested list is confined to its parent, which the person has to see",
    check: (subject) =>
      withNotes(subject, async (notes) => {
        const replies = await notes.data<{ text: string }[]>(1, "/notes/1/nested_replies.json");
        assert.deepEqual(
          replies.map(({ text }) => text),
          ["Reply to Ann"],
        );
        assert.equal((await notes.ask(1, "/notes/2/nested_replies.json")).status, 404);
      }),
  },
  {
    sentence: "visible() and visibleIn() find what the person may see, whatever is called on the query later",
    check: (subject) =>
      withNotes(subject, async (notes) => {
        const seen = await notes.inside<string[][]>(1, async (resources, controller, models) => {
          const note = models("Note");
          const own = await resources.visible(controller, note).orderBy("notes.id");
          const handed = resources.visibleIn(controller, note.class as never) as ReturnType<typeof resources.visible>;
          return [titles(own), titles(await handed.orWhere("notes.id", 2).orderBy("notes.id"))];
        });
        assert.deepEqual(seen[0], ["Ann's first", "Ann's second"]);
        assert.ok(!seen[1]!.includes("Bob's first"), seen[1]!.join());
      }),
  },
  {
    sentence: "find() and keyOf() know the records that the person may see, and no others",
    check: (subject) =>
      withNotes(subject, async (notes) => {
        const found = await notes.inside<unknown[]>(1, async (resources, controller, models) => {
          const note = models("Note");
          const { title } = (await resources.find(controller, note, "1")) as unknown as { title: string };
          const statuses = ["2", "999", "x", undefined].map((id) =>
            statusOf(() => resources.find(controller, note, id)),
          );
          const keys = [
            await resources.keyOf(controller, note, "1"),
            (await resources.keyOf(controller, note, "2")) ?? null,
          ];
          return [title, await Promise.all(statuses), keys.map((key) => (key === null ? null : Number(key)))];
        });
        assert.deepEqual(found, ["Ann's first", [404, 404, 404, 404], [1, null]]);
      }),
  },
  {
    sentence:
      "policy() answers for the account of the request, and isScoped() says which models it leaves records out of",
    check: (subject) =>
      withNotes(subject, async (notes) => {
        const answers = await notes.inside<unknown[]>(1, async (resources, controller, models) => {
          const { policyClass } = controller.registration;
          const policy = resources.policy(controller, policyClass, controller.record);
          const scoped = ["Note", "Person"].map((name) => resources.isScoped(controller, models(name)));
          return [allows(policy, "audit"), allows(policy, "unheard_of"), scoped];
        });
        assert.deepEqual(answers, [true, false, [true, false]]);
      }),
  },
  {
    sentence: "The registry knows each resource where it is served, and urlFor() its addresses",
    check: (subject) =>
      withNotes(subject, async (notes) => {
        const known = await notes.inside<unknown[]>(1, async (resources, controller, models) => {
          const { registry } = resources;
          const note = models("Note");
          const own = registry.of("DeskPortal").get("Note");
          const record = await resources.find(controller, note, "1");
          return [
            own === controller.registration,
            registry.of(undefined).get("Note") === undefined,
            registry.nearest("DeskPortal", note) === own,
            new URL(resources.urlFor(record, { portal: "DeskPortal" })).pathname,
            controller.resourceUrlFor(note.class as never),
          ];
        });
        assert.deepEqual(known, [true, true, true, "/desk/notes/1", "/desk/notes"]);
      }),
  },
  {
    sentence: "fields() lets plugins take names away, and not add any",
    check: async (subject) => {
      const narrowing = definePlugin({
        name: "narrowing",
        requires: ["resources"],
        apply: ({ hooks }) =>
          hooks.resources.fields.tap("narrowing", (names) => [...names.filter((name) => name !== "person"), "secret"]),
      });
      await withNotes({ ...subject, plugins: [...(subject.plugins ?? []), narrowing] }, async (notes) => {
        const names = await notes.inside<string[]>(1, async (resources, controller) =>
          resources.fields(["title", "person"], controller.registration, controller),
        );
        assert.deepEqual(names, ["title"]);
        assert.ok(!(await notes.ask(1, "/notes.json")).text.includes("hidden-ann"));
      });
    },
  },
  {
    sentence: "Two plugins that add one action, or one type of fields, are refused by their names",
    async check(subject) {
      const adding = (name: string, add: (resources: Resources) => void) =>
        definePlugin({ name, requires: ["resources"], apply: ({ services }) => add(services.resources) });
      const action = (resources: Resources) => resources.addActions({ archive: () => undefined } as never);
      const files = { ...noteFiles, ...subject.files };
      const refused = await refusal({ ...subject, files }, [adding("first", action), adding("second", action)]);
      assert.ok(refused, "the application started");
      assert.ok(/first/.test(refused.message) && /second/.test(refused.message), refused.message);
    },
  },
  {
    sentence: "An event goes out for each record that was written, once it is committed",
    check: async (subject) => {
      const heard: string[] = [];
      const listening = definePlugin({
        name: "listening",
        requires: ["resources"],
        apply: ({ hooks }) =>
          hooks.resources.record.tap("listening", ({ kind, record }) => void heard.push(`${kind} ${record.toLabel()}`)),
      });
      await withNotes({ ...subject, plugins: [...(subject.plugins ?? []), listening] }, async (notes) => {
        await notes.ask(1, "/notes.json", { method: "POST", body: JSON.stringify({ note: { title: "" } }) });
        assert.deepEqual(heard, []);
        await notes.data(1, "/notes.json", { method: "POST", body: JSON.stringify({ note: { title: "New" } }) });
        await notes.data(1, "/notes/3.json", { method: "PATCH", body: JSON.stringify({ note: { title: "Renamed" } }) });
        assert.deepEqual(heard, ["created New", "updated Renamed"]);
      });
    },
  },
];
