import SwaggerParser from "@apidevtools/swagger-parser";
import { assert, describe } from "../../support/index.ts";
import { operationsOf } from "../openapi/checker.ts";
import { fuzz } from "../openapi/fuzzed.ts";
import { as, documentOf } from "../openapi/openapi_app.ts";
import { openBulkCreate } from "./bulk_create_app.ts";

describe("Several records by one request, in documents of OpenAPI", (it) => {
  it("Documents describe the list, its preferences and its answers, and each answer is as they say", async () => {
    const app = await openBulkCreate();
    try {
      const document = await documentOf(app, 1);
      await SwaggerParser.validate(structuredClone(document) as never);
      const { operation } = operationsOf(document).find((one) => one.operation.operationId === "createPost")!;
      assert.match(JSON.stringify(operation.requestBody), '"maxItems":60');
      assert.equal(Object.keys(operation.responses).slice(0, 5), ["201", "202", "207", "303", "400"]);
      for (const prefer of ["continue-on-error", "respond-async"]) {
        const send = (path: string, init: RequestInit) =>
          app.request(path, { ...init, headers: { ...(init.headers as object), ...as(1), prefer } });
        const { problems, statuses } = await fuzz(document, send, {
          fixed: { organization_id: "1" },
          seed: 5,
          rounds: 1,
        });
        assert.equal(problems, []);
        const at = "POST /customer/{organization_id}/comments.json";
        assert.ok(
          [...statuses.keys()].some((one) => one.startsWith(at)),
          [...statuses.keys()].join(),
        );
      }
    } finally {
      await app.close();
    }
  });
});
