import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenApiDocument } from "../../../plugins/openapi/index.ts";
import { assert, describe } from "../../support/index.ts";
import { writeClient } from "./write_client.ts";

const RUN = "globalThis.fwBroken = true";
const marks = globalThis as { fwBroken?: boolean };
const json = (schema: object) => ({ description: "", content: { "application/json": { schema } } });
const path = (name: string) => ({ in: "path", name, required: true, schema: { type: "string" } });

/** A document of somebody who wants their code to run where a client is written from it. */
function hostile(): OpenApiDocument {
  const ids = [
    `x(){} static { ${RUN} } y`,
    `[(${RUN}, "z")]`,
    "constructor",
    "__proto__",
    "#sender",
    "get x",
    "get-post",
    "get_post",
    "getPost",
    "get.post",
    "delete",
    "1st",
    "",
    "listPlaces",
    "iteratePlaces",
  ];
  const paths: Record<string, object> = Object.fromEntries(
    ids.map((operationId, at) => [
      `/shop/\`+(${RUN})+\`/\${${RUN}}/${at}/{a-b}/{a_b}/{this}/{__proto__}/{order}`,
      {
        parameters: ["a-b", "a_b", "this", "__proto__", "order"].map(path),
        post: {
          operationId,
          summary: `Ends here */ ${RUN}; /*`,
          description: `**/ ${RUN} //\n*/\u2028${RUN}\u2029`,
          parameters: [
            { in: "query", name: `q"];${RUN};//`, schema: { type: "string" }, description: `*/ ${RUN} /*` },
            { in: "query", name: "filter[__proto__][constructor]", schema: { enum: [`"${RUN}"`, null, -1] } },
            { in: "query", name: "none", schema: { enum: [] } },
          ],
          requestBody: {
            required: true,
            ...json({ type: "object", properties: { order: { type: "object", properties: {} } } }),
          },
          responses: {
            200: json({
              type: "object",
              properties: {
                data: { type: "array", items: { $ref: "#/components/schemas/Place" } },
                meta: { type: "object" },
              },
            }),
          },
        },
      },
    ]),
  );
  const odd = JSON.parse(
    `{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"string","description":"*/ ${RUN}"},"constructor":{"const":{"__proto__":1}},"a\\nb":{"type":"number"}}}`,
  ) as object;
  const schemas = Object.fromEntries(
    [
      ...["Promise", "Record", "Place", "ListPage", "Call", "string", "any", "A b", "A_b", "GetPostQuery"],
      ...["CustomerClient", "CustomerClientOptions", `T = 1; ${RUN}; type U`, "ünïcödé", "9", "$", "constructor"],
    ].map((name) => [name, odd]),
  );
  schemas.Lost = { $ref: "#/components/schemas/Nowhere" };
  schemas.Broken = { anyOf: [{ $ref: "#/components/schemas/%zz" }, { oneOf: [] }, { type: [] }] };
  const signs = { tags: ["SignIn"], operationId: "signIn", summary: "", responses: {} };
  return {
    openapi: "3.1.1",
    info: { title: `T\n${RUN}\n/* */ ${RUN}; /*`, version: `1\u2028${RUN}` },
    paths: { ...paths, [`/users";${RUN};"/login`]: { post: signs }, [`/u"+(${RUN})+"/jwt-refresh`]: { post: signs } },
    components: { schemas, parameters: {}, responses: {}, securitySchemes: {} },
    ...{ servers: [], security: [], tags: [] },
  } as unknown as OpenApiDocument;
}

/** What the compiler says of a file. */
function problemsOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "fw-hostile-"));
  const file = join(folder, "client.ts");
  writeFileSync(file, text);
  const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
  const own = ["--strict", "--noEmit", "--erasableSyntaxOnly", "--target", "es2022", "--module", "esnext"];
  try {
    const lib = ["--lib", "es2023,dom,dom.iterable", "--types", ""];
    return spawnSync(process.execPath, [tsc, ...own, ...lib, file], { cwd: folder, encoding: "utf8" }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("A client of a document that somebody else has written", (it) => {
  it("Compiles, and has no code of the document's making", async () => {
    const { text, create } = await writeClient(hostile());
    assert.is(problemsOf(text), "");
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return Response.json({ data: [], meta: {} });
    };
    const client = create({ url: "https://shop.example", fetch, login: { login: "a", password: "b" } });
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(client)).filter((name) => name !== "constructor");
    assert.is(methods.length, 16, methods.join(" "));
    for (const name of methods) {
      if (/^iterate/.test(name)) continue;
      await client[name]!("1", "2", "3", "4", "5", {}, {});
    }
    assert.ok(
      urls.some((url) => url.includes(`/shop/\`+(${RUN})+\`/$`)),
      urls[1],
    );
    assert.is(marks.fwBroken, undefined);
  });
});
