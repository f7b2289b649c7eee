import { createRequire } from "node:module";
import { isCommon } from "../../../plugins/authlib/features/password_complexity/common.ts";
import { isListed } from "../../../plugins/authlib/features/password_complexity/common_list.ts";
import { isPersonal } from "../../../plugins/authlib/features/password_complexity/personal.ts";
import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { within } from "../../support/pace.ts";
import { addPeople, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { quick } from "./promises/support.ts";

const { dictionary } = createRequire(import.meta.url)("@zxcvbn-ts/language-common") as {
  dictionary: { "passwords-common": string[] };
};
const most = dictionary["passwords-common"].filter((word) => word.length >= 8);
/** Passwords that are nobody's: letters and digits by a generator that is the same in each run. */
function randomWords(count: number, length: number): string[] {
  let state = 20_260_101;
  const letter = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return "abcdefghijklmnopqrstuvwxyz0123456789"[(state >>> 8) % 36]!;
  };
  return Array.from({ length: count }, () => Array.from({ length }, letter).join(""));
}

describe("Common passwords", (it) => {
  it("The 10,000 most common passwords of eight characters and more are recognized, in any case and with digits around them", () => {
    assert.ok(most.length > 10_000);
    for (const word of most) assert.ok(isCommon(word), word);
    for (const word of ["Terminator99!", "2024manchester", "C4LIFORNIA", "  qwerty 12345 ", "mypassword"])
      assert.ok(isCommon(word), word);
  });
  it("At most 20 of 200,000 random passwords are taken for common ones", () => {
    const wrong = randomWords(200_000, 12).filter(isListed).length;
    assert.ok(wrong <= 20, `${wrong} of 200,000: more than one of 10,000`);
    for (const word of ["correct horse battery", "meadow under rain", "gl4cier-otter-lantern"])
      assert.not(isCommon(word));
  });
  it("Passwords in other scripts are not taken for common ones, and digits with punctuation are", () => {
    for (const word of ["зелёныйслон", "正しい馬の電池", "πράσινο-λιβάδι"]) assert.not(isCommon(word), word);
    for (const word of ["1234-5678", "!?.12,;:-", "٢٠٢٤-٠٧-٠١"]) assert.ok(isCommon(word), word);
  });
  it("Looking a password up takes less than 1 ms, and the list less than 5 MB", () => {
    const words = randomWords(20_000, 14);
    isCommon("the first one reads the file");
    const before = { at: performance.now(), memory: process.memoryUsage().external };
    for (const word of words) isCommon(word);
    const each = (performance.now() - before.at) / words.length;
    assert.ok(each < within(1), `${each} ms`);
    assert.ok(process.memoryUsage().external - before.memory < 5_000_000);
  });
  it("A password of the owner's address and the application's name is personal, and one that shares some letters is not", () => {
    const own = (password: string) => isPersonal(password, "ann.miller1984@shop.example", "Blue Shop");
    for (const word of [
      "ann.miller1984",
      "Miller1984miller",
      "ann.miller1984@shop.example",
      "shopexample99",
      "blueshop2026!",
      "Blue-Shop-ann",
      "Example.Miller",
    ])
      assert.ok(own(word), word);
    assert.not(isPersonal("savannah river stone", "anna1984@shop.example", "Blue Shop"));
    for (const word of ["the miller went home", "exampleorchard", "correct horse"]) assert.not(own(word), word);
  });
});

describe("The choice of a password", (it, { before, after }) => {
  let app: TestApp;
  const asked = globalThis as { lookedUp?: string[] };
  before(async () => {
    asked.lookedUp = [];
    const lookup = `export async function lookup(password: string): Promise<boolean> {
      (globalThis as any).lookedUp.push(password);
      if (password.includes("throws")) throw new Error("no answer about " + password);
      if (password.includes("hangs")) await new Promise(() => {});
      return password.includes("leaked"); }`;
    const features = "login(), logout(), changePassword(), passwordComplexity({ isCommon: lookup })";
    const user = { features, imports: `import { lookup } from "../../lib/lookup.ts";` };
    app = await openAccounts(
      { user },
      { authlib: "{ limits: false }", plugins: quick, files: { "lib/lookup.ts": lookup } },
    );
    await addPeople(app, "user", "ann.miller@shop.example");
    asked.lookedUp = [];
  });
  after(() => app.close());
  let current = PASSWORD;
  const change = async (password: string) => {
    const client = await signIn(app, "user", "ann.miller@shop.example", {}, current);
    const fields = { password: current, new_password: password, password_confirmation: password };
    const answer = await client.submit("/users/change-password", fields);
    if (answer.status === 303) current = password;
    return { status: answer.status, text: await answer.text() };
  };
  it("A common or personal password is refused with 422, without a look-up of the application", async () => {
    for (const word of [
      "mypassword",
      "123456789a",
      "1qaz2wsx3edc",
      "manchester",
      "california",
      "q1w2e3r4t5",
      "christopher1!",
    ]) {
      const { status, text } = await change(word);
      assert.is(status, 422, word);
      assert.match(text, "too easy to guess");
    }
    assert.match((await change("Ann.Miller.2026")).text, "must not consist of your own address");
    assert.equal(asked.lookedUp, [], "nothing is asked elsewhere about these");
  });
  it("A personal password is refused also for an account that is created without the pages", async () => {
    const make = () =>
      app.application.kernel
        .service("auth")
        .createAccount("user", { email: "joe.bloggs@shop.example" }, { password: "joe.bloggs.1984" });
    await make().then(
      () => assert.unreachable("it was made"),
      (error: Error) => assert.match(error.message, "must not consist of your own address"),
    );
  });
  it("A password that a look-up of the application knows is refused", async () => {
    assert.match((await change("orchard leaked otter")).text, "too easy to guess");
    assert.is((await change("orchard lantern otter")).status, 303);
  });
  it("A password is accepted where the look-up of the application fails or hangs", async () => {
    assert.is((await change("orchard throws otter")).status, 303);
    const begun = performance.now();
    assert.is((await change("orchard hangs otter")).status, 303);
    assert.ok(performance.now() - begun < 6000);
  });
});
