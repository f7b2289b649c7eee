import qs from "qs";
import { parseForm } from "../../host/http/form_body.ts";
import { cleanJson } from "../../host/http/params.ts";
import { assert, describe } from "../support/index.ts";
import { within } from "../support/pace.ts";

// qs is the oracle: a form of plain names is read without it, and must come out the same.

const byQs = (text: string): unknown =>
  cleanJson(
    qs.parse(text, {
      plainObjects: true,
      depth: 8,
      strictDepth: true,
      parameterLimit: 1000,
      throwOnLimitExceeded: true,
      arrayLimit: 200,
      decoder: (part) => decodeURIComponent(part.replaceAll("+", " ")),
    }),
  );
const outcome = (read: () => unknown): string => {
  try {
    return JSON.stringify(read());
  } catch {
    return "refused";
  }
};

const names =
  `title post[title] post%5Btitle%5D post%5btitle%5d post[title%5D post[] post[0] post[a][b] post post[body] a b c_d _x x1 1x
  post[a][] post[a][b][] post%5Ba%5D%5B%5D post[a][][b] post[a][0] post[a][1] post[a][0][b] post[a][1][b] post[a][01] post[a][7][c-d] post%5Ba%5D%5B0%5D%5Bb%5D post[a][_list] post[a][__proto__] post[a][b][c][d][e][f][g][h][i] post[a][b][c][d][e][f][g][h][i][j]
  __proto__ constructor post[__proto__] post[constructor] prototype toString post[hasOwnProperty] a.b a-b a+b %61 é post[ post] [title] [] post[title]x post[ti+tle]`
    .split(/\s+/)
    .concat("");
const values = ["", "x", "a+b", "%26%3D", "%E2%82%AC", "%", "%zz", "%C3", "=", "a=b", "[x]", "1", "%00", "<b>"];

describe("Parsing of URL-encoded forms", (it) => {
  it("Every pair of names and every value in a form is parsed as qs parses it", () => {
    for (const one of names) {
      for (const other of names) {
        const text = `${one}=1&${other}=2`;
        assert.is(
          outcome(() => parseForm(text)),
          outcome(() => byQs(text)),
          text,
        );
      }
      for (const value of values) {
        const text = `${one}=${value}`;
        assert.is(
          outcome(() => parseForm(text)),
          outcome(() => byQs(text)),
          text,
        );
      }
    }
  });
  it("5000 random forms are parsed as qs parses them", () => {
    let seed = 20_261_122;
    const next = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % most;
    };
    for (let round = 0; round < 5000; round++) {
      const pair = () => names[next(names.length)]! + (next(9) ? `=${values[next(values.length)]}` : "");
      const text = Array.from({ length: 1 + next(6) }, pair).join("&");
      assert.is(
        outcome(() => parseForm(text)),
        outcome(() => byQs(text)),
        text,
      );
    }
  });
  it("A form of more than 1000 fields has checked boxes and lists in its rows", () => {
    const fields = ["id", "_version", "_originals", "_destroy", "area", "done", "done", "tags", "tags", "files][new]["];
    const rows = Array.from({ length: 200 }, (_, row) => fields.map((one, at) => `a[b][${row}][${one}]=${at}`));
    const read = parseForm(rows.flat().join("&")) as { a: { b: { done: unknown; tags: unknown; files: unknown }[] } };
    const { done, tags, files } = read.a.b[199]!;
    assert.equal([done, tags, { ...(files as object) }], [["5", "6"], ["7", "8"], { new: ["9"] }]);
  });
  it("A form of 250 rows is parsed in less than 50 ms", () => {
    const fields = ["id", "_version", "_originals", "_destroy", "area", "purpose"];
    const rows = Array.from({ length: 250 }, (_, row) => fields.map((one) => `permit[parcels][${row}][${one}]=${row}`));
    const begun = performance.now();
    const read = parseForm(`permit[parcels][_list]=1&${rows.flat().join("&")}`) as { permit: { parcels: object } };
    const took = performance.now() - begun;
    assert.ok(took < within(50), `took ${took} ms`);
    assert.is(Object.keys(read.permit.parcels).length, 251);
    assert.throws(
      () => parseForm(Array.from({ length: 5001 }, (_, at) => `a[b][${at}]=1`).join("&")),
      /could not be read/,
    );
  });
  it("Form keys that name a prototype or a constructor are dropped", () => {
    const read = parseForm("__proto__[admin]=1&constructor=2&a[__proto__]=3&a[b]=4") as Record<string, unknown>;
    assert.equal(Object.keys(read), ["a"]);
    assert.is(({} as { admin?: unknown }).admin, undefined);
  });
});
