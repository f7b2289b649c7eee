import SwaggerParser from "@apidevtools/swagger-parser";
import { assert, describe } from "../../support/index.ts";
import { Checker, operationsOf } from "../openapi/checker.ts";
import { fuzz } from "../openapi/fuzzed.ts";
import { as, documentOf } from "../openapi/openapi_app.ts";
import { openJsonApi } from "./json_api_app.ts";

describe("Parameters of JSON, in documents of OpenAPI", (it) => {
  it("Documents describe what may be included, for each reader, and each answer is as they say", async () => {
    const app = await openJsonApi();
    try {
      const document = await documentOf(app, 1);
      await SwaggerParser.validate(structuredClone(document) as never);
      const named = (of: typeof document, name: string) => JSON.stringify(of.components.parameters[name] ?? {});
      assert.match(named(document, "Post_include_index"), '"comments","comments.post","comments.reply_to"');
      assert.match(named(document, "Post_include_index"), '"author"');
      assert.not.match(named(document, "Post_include_index"), /memberships|organization/);
      assert.not.match(named(await documentOf(app, 3), "Post_include_index"), /author|note/);
      const list = operationsOf(document).find(({ operation }) => operation.operationId === "listPosts")!;
      assert.match(JSON.stringify(list.operation.responses[200]), '"Link"');
      const send = (path: string) => app.request(path, { headers: as(1) });
      for (const path of [
        "posts.json?include=author,note,comments.reply_to&per_page=50",
        "posts.json?include=comments&columns=title",
      ])
        assert.is(await new Checker(document).problemOf(list, await send(`/customer/1/${path}`)), undefined);
      const { problems, sent } = await fuzz(
        document,
        (path, init) => app.request(path, { ...init, headers: { ...(init.headers as object), ...as(1) } }),
        { fixed: { organization_id: "1" }, seed: 11, rounds: 2 },
      );
      assert.equal(problems, []);
      assert.ok(sent > 100, `${sent} requests`);
    } finally {
      await app.close();
    }
  });
});
