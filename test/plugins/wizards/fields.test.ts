import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FSDriver } from "flydrive/drivers/fs";
import { type ParamObject, Params, type UploadedFile } from "framewright";
import { zoneOf } from "framewright/host";
import { fieldsSummary, isMultipart } from "framewright/plugins/fields/rows";
import { addCatalogues, openTexts } from "framewright/plugins/i18n";
import { files } from "framewright/plugins/storage";
import { stageFiles } from "../../../plugins/wizards/fields/staged_values.ts";
import { errorList, pressedInput, stepFields } from "../../../plugins/wizards/fields/step_form.ts";
import { steps } from "../../../plugins/wizards/flow/flow.ts";
import { FlowSteps } from "../../../plugins/wizards/flow/flow_steps.ts";
import { readStep } from "../../../plugins/wizards/flow/read_step.ts";
import { assert, describe } from "../../support/index.ts";
import { PNG, pngOf } from "../../support/png.ts";

const texts = openTexts({ locale: "en", onMissing: (key) => assert.unreachable(`no text for ${key}`) });
for (const folder of ["i18n", "fields/locales", "resources/locales", "wizards/locales"])
  addCatalogues(texts, join(import.meta.dirname, "../../../plugins", folder));
const t = (key: string, vars?: Record<string, unknown>) => texts.t(key, vars);

const flow = new FlowSteps(
  steps()
    .step("plain", {}, (f) =>
      f
        .string("name", { presence: true, label: "Full name", hint: "As on paper", default: "Nobody" })
        .select("plan", ["free", { value: "paid", label: "Paid <b>" }], { default: "free" })
        .boolean("news", { default: true })
        .datetime("at")
        .password("pin", { presence: true })
        .json("extra"),
    )
    .step("people", {}, (f) =>
      f
        .repeated("invites", { minimum: 1, maximum: 3, label: "Invitations" }, (g) => g.email("email").file("photo"))
        .group("address", { label: "Address" }, (g) => g.string("city").repeated("phones", {}, (h) => h.tel("number"))),
    )
    .step("papers", {}, (f) => f.file("logo", { accept: ["image/*", ".pdf"], maximum: 2_000_000, presence: true })),
);
const step = (key: string) => flow.step(key)!;
const count = (page: string, part: string) => page.split(part).length - 1;

describe("The form of a step", (it) => {
  it("A step's form begins with the defaults of its fields", () => {
    const page = stepFields({ step: step("plain"), t }).html;
    assert.match(page, /<label class="form-label" for="wizard_name">Full name/);
    assert.match(
      page,
      /value="Nobody"[^>]* id="wizard_name" name="wizard\[name\]"[^>]* required[^>]* aria-describedby="wizard_name_hint"/,
    );
    assert.match(page, /<option value="free" selected>/);
    assert.match(page, />Paid &lt;b&gt;</);
    assert.match(page, /role="switch"[^>]* checked/);
  });

  it("Moments stand as the person's clocks show them, in the form with its zone and in the review", async () => {
    const values = { at: "2026-07-02T03:04:00.000Z" };
    const timeZone = zoneOf("America/New_York");
    const page = stepFields({ step: step("plain"), values, t, timeZone }).html;
    assert.match(page, /type="datetime-local" value="2026-07-01T23:04"/);
    assert.match(page, "New York time (UTC-4)");
    assert.match(page, 'name="_zone_wizard[at]" value="America/New_York 2026-07-02T03:04:00.000Z"');
    const summary = await fieldsSummary(step("plain").fields, values, t, { timeZone });
    assert.match(summary.find(({ label }) => label === "At")!.value.html, 'title="UTC-4">1 Jul 2026, 23:04</time>');
  });

  it("A step's form shows the stored values, overridden by what was typed", () => {
    const values = {
      name: "Ada",
      plan: null,
      news: false,
      at: "2026-01-02T03:04:00.000Z",
      pin: "s3cret",
      extra: { a: 1 },
    };
    const kept = stepFields({ step: step("plain"), values, t }).html;
    assert.match(kept, /value="Ada"/);
    assert.not.match(kept, / selected| checked/);
    assert.match(kept, /value="2026-01-02T03:04"/);
    assert.ok(kept.includes(">\n{\n  &quot;a&quot;: 1\n}<"));
    const typed = stepFields({
      step: step("plain"),
      values,
      typed: { name: "", extra: "{", news: ["0", "1"] },
      t,
    }).html;
    assert.match(typed, /value=""[^>]* id="wizard_name"/);
    assert.match(typed, />\n\{</);
    assert.match(typed, / checked/);
  });

  it("A step's form never shows a password, and says that a stored one can be kept", () => {
    const page = stepFields({ step: step("plain"), values: { pin: "s3cret" }, typed: { pin: "typed" }, t }).html;
    assert.not.match(page, /s3cret|typed/);
    assert.match(page, /Leave empty to keep what you entered before/);
    assert.not.match(page, /type="password"[^>]* required/);
    assert.match(stepFields({ step: step("plain"), typed: { pin: "x" }, t }).html, /type="password"[^>]* required/);
  });

  it("Groups and entries are fieldsets with submit buttons to add and remove entries", () => {
    const values = {
      invites: [{ email: "a@b.c" }, { email: "x@y.z" }],
      address: { city: "Bern", phones: [{ number: "1" }] },
    };
    const page = stepFields({ step: step("people"), values, t }).html;
    assert.match(page, /<legend class="form-label">Address<\/legend>/);
    assert.match(page, /<legend class="form-label"><span data-row-number>Invitation 2<\/span><\/legend>/);
    assert.match(page, /value="x@y.z"[^>]* id="wizard_invites-1-email" name="wizard\[invites\]\[1\]\[email\]"/);
    assert.match(page, /name="wizard\[invites\]\[1\]\[_was\]" value="1"/);
    assert.match(page, /name="wizard\[address\]\[phones\]\[0\]\[number\]"/);
    assert.match(page, /<button[^>]* name="_remove" value="invites.1" formnovalidate/);
    assert.match(page, /<button[^>]* name="_add" value="address.phones" formnovalidate/);
    const full = { invites: [{}, {}, {}].map((_, index) => ({ email: `${index}@b.c` })) };
    const shown = stepFields({ step: step("people"), values: full, t }).html;
    assert.match(shown, /value="invites" formnovalidate disabled aria-describedby="wizard_invites_full"/);
    assert.match(shown, /id="wizard_invites_full">There can be 3 at most\./);
  });

  it("A step's form has the minimum number of entries and no duplicate id", () => {
    const page = stepFields({ step: step("people"), t }).html;
    assert.is(count(page.replace(/<template>.*?<\/template>/gs, ""), 'name="_remove"'), 1);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.is(new Set(ids).size, ids.length);
  });

  it("Errors appear beside each field and in a summary with links", () => {
    const errors = {
      "invites.0.email": ["is not valid"],
      invites: ["allows at most 3"],
      "address.city": ["can't be blank"],
      base: ["Try again."],
      elsewhere: ["is odd"],
    };
    const form = { step: step("people"), errors, t };
    assert.match(stepFields(form).html, /id="wizard_invites-0-email_errors">is not valid/);
    const summary = errorList(form).html;
    for (const part of [
      '<a href="#wizard_invites-0-email">Invitation 1, Email is not valid</a>',
      '<a href="#wizard_invites">Invitations allows at most 3</a>',
      '<a href="#wizard_address-city">City can&#39;t be blank</a>',
      "<li>Try again.</li>",
      "<li>elsewhere is odd</li>",
    ])
      assert.ok(summary.includes(part), `${part} in ${summary}`);
    assert.is(errorList({ step: step("people"), t }).html, "");
  });

  it("A stored file is shown by its name with a checkbox to remove it, and never by its key", () => {
    const logo = { key: "aa/secret", filename: "<logo>.png", type: "image/png", size: 20_480 };
    const page = stepFields({ step: step("papers"), values: { logo }, t }).html;
    assert.match(page, /&lt;logo&gt;\.png <small>\(20 KB\)/);
    assert.match(page, /type="checkbox"[^>]* name="wizard\[_remove_logo\]" value="1"/);
    const ticked = stepFields({ step: step("papers"), values: { logo }, typed: { _remove_logo: "1" }, t }).html;
    assert.equal(
      [page, ticked].map((one) => / checked/.test(one)),
      [false, true],
    );
    assert.match(page, /accept="image\/\*,\.pdf"/);
    assert.match(page, /At most 2 MB\. Leave empty to keep the current file\./);
    assert.not.match(page, /secret|type="file"[^>]* required/);
    assert.equal(
      [step("papers"), step("people"), step("plain")].map(({ fields }) => isMultipart(fields)),
      [true, true, false],
    );
  });
});

describe("The buttons of repeated fields", (it) => {
  const typed = {
    invites: { _list: "1", 0: { email: "a@b.c", _was: "1" }, 1: { email: "" } },
    address: { city: "Bern" },
  };
  const press = (pressed: ParamObject, given: ParamObject = typed) =>
    pressedInput(step("people"), new Params(given), new Params(pressed));
  const emails = (page: string) =>
    [...page.matchAll(/value="([^"]*)"[^>]* id="wizard_invites-\d+-email"/g)].map(([, text]) => text);
  const shown = (given: ParamObject | undefined) =>
    stepFields({ step: step("people"), values: { invites: [{ email: "old" }, { email: "kept" }] }, typed: given, t })
      .html;

  it("Adding an entry keeps everything that was typed", () => {
    const page = shown(press({ _add: "invites" }));
    assert.equal(emails(page), ["a@b.c", "", ""]);
    assert.match(page, /value="Bern"/);
    assert.match(page, /name="wizard\[invites\]\[0\]\[_was\]" value="1"/);
  });

  it("A stored entry that is removed is struck out last, with a button that puts it back; a new one leaves at once", () => {
    const removed = press({ _remove: "invites.0" });
    const page = shown(removed);
    assert.equal(emails(page), ["", "a@b.c"]);
    assert.match(page, /fw-entry-removed" id="wizard_invites-1"/);
    assert.match(page, /name="_restore" value="invites.1" formnovalidate/);
    assert.match(page, /name="wizard\[invites\]\[1\]\[_destroy\]" value="1"/);
    const form = { invites: { 0: { email: "" }, 1: { email: "a@b.c", _was: "1", _destroy: "1" } } };
    assert.not.match(shown(press({ _restore: "invites.1" }, form)), /_destroy\]" value="1"|fw-entry-removed"/);
    assert.equal(emails(shown(press({ _remove: "invites.1" }))), ["a@b.c"]);
  });

  it("Entries are moved and duplicated by buttons; a copy is a new entry", () => {
    assert.equal(emails(shown(press({ _down: "invites.0" }))), ["", "a@b.c"]);
    assert.equal(emails(shown(press({ _up: "invites.0" }))), ["a@b.c", ""]);
    const page = shown(press({ _copy: "invites.0" }));
    assert.equal(emails(page), ["a@b.c", "a@b.c", ""]);
    assert.is(count(page, "[_was]"), 1);
  });

  it("The buttons reach lists in groups, respect the maximum and ignore invalid paths", () => {
    const added = press({ _add: "address.phones" });
    assert.equal(added?.address, { city: "Bern", phones: [{ _added: "1" }] });
    const full = { invites: [{ email: "1" }, { email: "2" }, { email: "3" }] };
    assert.equal(emails(shown(press({ _add: "invites" }, full))), ["1", "2", "3"]);
    for (const path of ["", "none", "__proto__", "invites.0.email", "address", "invites.9"])
      assert.equal(emails(shown(press({ _remove: path }))).filter(Boolean), ["a@b.c"], path);
    assert.is(press({}), undefined);
    assert.is(press({ _add: { a: "1" } }), undefined);
  });

  it("Blank entries are left out once the form is sent, and an emptied list shows only the minimum", () => {
    assert.equal(emails(shown({ ...typed })), ["a@b.c"]);
    assert.equal(emails(shown({ invites: { _list: "1" } })), [""]);
  });
});

describe("The files of a step", (it, { after }) => {
  const location = mkdtempSync(join(tmpdir(), "fw-staging-"));
  after(() => rmSync(location, { recursive: true }));
  const storage = files(async () => new FSDriver({ location, visibility: "private" }), location);
  const upload = (filename: string, mimeType: string, bytes: Buffer = PNG): UploadedFile => ({
    filename,
    mimeType,
    bytes,
  });
  const send = (key: string, params: ParamObject, before = {}) =>
    stageFiles(storage, step(key), new Params(params), before);

  it("An uploaded file is stored before the step is read, and is its value", async () => {
    const { params, stored, errors } = await send("papers", { logo: upload("../a.PNG", "image/png") });
    const { values } = readStep(step("papers"), params);
    assert.equal(errors, {});
    assert.equal(values, { logo: stored[0] });
    assert.is(stored[0]?.filename, "a.PNG");
    assert.is((await storage.bytes(stored[0]!.key)).length, PNG.length);
  });

  it("A file of a wrong type or size is refused before it is stored", async () => {
    const before = (await readdir(location)).length;
    const html = await send("papers", { logo: upload("a.html", "text/html", Buffer.from("<html>")) });
    const large = await send("papers", { logo: upload("a.png", "image/png", pngOf(2_000_001)) });
    const called = await send("papers", { logo: upload("a.png", "text/html") });
    assert.equal(called.errors, html.errors);
    for (const text of ["hello", "<html><script>1</script>", "%PD"]) {
      const named = await send("papers", { logo: upload("a.png", "image/png", Buffer.from(text)) });
      assert.equal(named.errors, html.errors, text);
    }
    assert.equal(html.errors, { logo: ["must be one of image/*, .pdf"] });
    assert.equal(large.errors, { logo: ["is too large (at most 2 MB)"] });
    assert.equal([...html.stored, ...large.stored], []);
    assert.is((await readdir(location)).length, before);
    assert.is(readStep(step("papers"), html.params).values.logo, null);
  });

  it("A stored file is kept when none is sent, removed by its checkbox, and never set by a key", async () => {
    const logo = { key: "aa/kept", filename: "kept.png", type: "image/png", size: 1 };
    const read = async (params: ParamObject) => {
      const staged = await send("papers", params, { logo });
      return readStep(step("papers"), staged.params, { logo });
    };
    assert.equal((await read({})).values, { logo });
    assert.equal((await read({ logo: "" })).values, { logo });
    assert.equal((await read({ _remove_logo: "1" })).values, { logo: null });
    const forged = await read({ logo: { key: "bb/other", filename: "x", type: "y", size: "1" } });
    assert.equal(Object.keys(forged.errors), ["logo"]);
    assert.is(forged.values.logo, null);
  });

  it("A stored file stays with its entry when entries before it are removed", async () => {
    const photo = (name: string) => ({ key: `aa/${name}`, filename: name, type: "image/png", size: 1 });
    const before = {
      invites: [
        { email: "a@b.c", photo: photo("a") },
        { email: "x@y.z", photo: photo("x") },
      ],
    };
    const sent: ParamObject = {
      invites: [{ email: "", photo: "" }, { email: "x@y.z", _was: "1" }, { photo: upload("n.png", "image/png") }],
    };
    const { params } = await send("people", sent, before);
    const { invites } = readStep(step("people"), params, before).values as {
      invites: { photo: { filename: string } }[];
    };
    assert.equal(
      invites.map((entry) => entry.photo.filename),
      ["x", "n.png"],
    );
  });

  it("Stored files are deleted when a later one can't be stored", async () => {
    const kept: string[] = [];
    const failing = {
      put: async (file: Parameters<typeof storage.put>[0]) => {
        if (kept.length === 1) throw new Error("the disk is full");
        const stored = await storage.put(file);
        kept.push(stored.key);
        return stored;
      },
      delete: storage.delete,
    };
    const invites = [{ photo: upload("1.png", "image/png") }, { photo: upload("2.png", "image/png") }];
    const sent = stageFiles(failing, step("people"), new Params({ invites }), undefined);
    await sent.then(
      () => assert.unreachable(),
      (error: Error) => assert.is(error.message, "the disk is full"),
    );
    assert.equal([kept.length, await storage.exists(kept[0]!)], [1, false]);
  });
});

describe("The summary of a step", (it) => {
  const shown = async (key: string, values: Record<string, unknown>) =>
    Object.fromEntries(
      (await fieldsSummary(step(key).fields, values, t)).map(({ label, value }) => [label, value.html]),
    );

  it("The summary shows escaped answers, choices by their labels and no password", async () => {
    const summary = await shown("plain", {
      name: "<Ada>",
      plan: "paid",
      news: true,
      at: "2026-01-02T03:04:00.000Z",
      pin: "s3cret",
    });
    assert.is(summary["Full name"], "&lt;Ada&gt;");
    assert.is(summary.Plan, "Paid &lt;b&gt;");
    assert.match(summary.News!, /Yes/);
    assert.match(summary.At!, /2026-01-02T03:04/);
    assert.is(summary.Pin, "••••••••");
    assert.match(summary.Extra!, /Not set/);
  });

  it("The summary nests groups and entries, and names files with their sizes", async () => {
    const photo = { key: "aa/1", filename: "me.png", type: "image/png", size: 1_500_000 };
    const summary = await shown("people", {
      invites: [{ email: "a@b.c", photo }],
      address: { city: "Bern", phones: [] },
    });
    assert.match(summary.Invitations!, /<ol[^>]*><li><dl[^>]*>.*a@b\.c.*me\.png <small>\(1\.5 MB\)/);
    assert.match(summary.Address!, /<dt>City<\/dt><dd>Bern<\/dd>.*<dt>Phones<\/dt><dd>.*Not set/);
  });
});
