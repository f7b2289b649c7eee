import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { within } from "../support/pace.ts";
import { attackedFiles } from "./attacked.ts";

describe("JSON bodies", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await bootApp(attackedFiles);
  });
  after(() => app.close());
  const post = (body: string) =>
    app.request("/pages", {
      method: "POST",
      body,
      headers: { "content-type": "application/json", accept: "application/json" },
    });

  it("A JSON body with too many keys or values is answered with 413 in less than 50 ms", async () => {
    const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key${index}`, index]));
    const bodies = [
      JSON.stringify({ page: keys }),
      JSON.stringify({ page: { title: Array.from({ length: 100_000 }, () => 1) } }),
      `{"page":[${Array.from({ length: 50_000 }, () => '{"a":1}').join(",")}]}`,
    ];
    await post("{}"); // what is loaded once is loaded
    for (const body of bodies) {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const start = performance.now();
        const answer = await post(body);
        times.push(performance.now() - start);
        assert.is(answer.status, 413);
        assert.match(((await answer.json()) as { detail: string }).detail, "5000 keys or 20000 values");
      }
      assert.ok(Math.min(...times) < within(50), `took ${Math.min(...times)} ms`);
    }
  });
  it("A JSON body that is nested too deeply is answered with 400 in less than 50 ms", async () => {
    for (const body of [
      `{"page":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
      `{"page":${'{"a":'.repeat(4000)}1${"}".repeat(4000)}}`,
    ]) {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const start = performance.now();
        const answer = await post(body);
        times.push(performance.now() - start);
        assert.is(answer.status, 400);
        assert.match(await answer.text(), "nested too deep");
      }
      assert.ok(Math.min(...times) < within(50), `took ${Math.min(...times)} ms`);
    }
    const nested = (levels: number, pad: string) =>
      `{"page":{"title":"${pad}","x":${"[".repeat(levels)}${"]".repeat(levels)}}}`;
    for (const pad of ["", "x".repeat(20_000)])
      for (const [levels, status] of [
        [15, 201],
        [16, 400],
      ] as const)
        assert.is((await post(nested(levels, pad))).status, status, `${levels} levels`);
  });
  it("A JSON body may hold a long text with any number of commas, colons, quotes and backslashes", async () => {
    const title = 'a, b: "c" \\ '.repeat(20_000);
    const answer = await post(JSON.stringify({ page: { title } }));
    assert.is(answer.status, 201);
    assert.is(((await answer.json()) as { title: string }).title, title);
  });
  it("A JSON text with an unpaired surrogate is refused by the name of its field, and a whole pair is accepted", async () => {
    for (const half of ["\\ud83d", "x\\ude00", "\\ud83d\\ud83d"]) {
      const answer = await post(`{"page":{"title":"${half}"}}`);
      assert.is(answer.status, 422, half);
      assert.equal(((await answer.json()) as { errors: object }).errors, { title: ["is not valid text"] });
    }
    assert.is((await post(`{"page":{"\\ud83d":"x"}}`)).status, 422);
    const whole = await post(`{"page":{"title":"\\ud83d\\ude00"}}`);
    assert.is(((await whole.json()) as { title: string }).title, "😀");
  });
});
