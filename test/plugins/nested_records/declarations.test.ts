import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openPermits, permitFiles } from "./permits_app.ts";

const path = "app/definitions/permit_definition.ts";
const declared = (line: string, others: Record<string, string> = {}) => ({
  ...others,
  [path]: edited(permitFiles, path, ['this.action("duplicate");', `this.action("duplicate"); ${line}`]),
});

/** What is declared, and the error that names it. */
const wrong: Record<string, [Record<string, string>, RegExp]> = {
  "rows of a column of texts": [
    declared('this.repeated("title", { fields: { a: { as: "string" } } });'),
    /FW_ROWS_ATTRIBUTE: PermitDefinition.*"title"/,
  ],
  "a has-one as rows": [declared('this.repeated("site", { fields: ["street"] });'), /FW_ROWS_ATTRIBUTE/],
  "rows of a json column without fields": [declared('this.repeated("place", { fields: {} });'), /FW_ROWS_FIELDS/],
  "names in the place of the fields of a json column": [
    declared('this.repeated("lines", { fields: ["text"] });'),
    /FW_ROWS_FIELDS/,
  ],
  "fields in the place of names of attributes": [
    declared('this.repeated("parcels", { fields: { area: { as: "string" } } });'),
    /FW_ROWS_FIELDS/,
  ],
  "a file in a json column": [
    declared('this.repeated("lines", { fields: { scan: { as: "file" } } });'),
    /FW_ROWS_FIELD: .*"scan" is a file/,
  ],
  "a secret in a json column": [
    declared('this.repeated("lines", { fields: { pin: { as: "password" } } });'),
    /FW_ROWS_FIELD: .*"pin" is a secret/,
  ],
  "a type that is not there": [
    declared('this.repeated("lines", { fields: { a: { as: "sting" as never } } });'),
    /FW_ROWS_FIELD_TYPE: .*did you mean "string"/i,
  ],
  "an order by texts": [declared('this.repeated("parcels", { fields: ["area"], order: "area" });'), /FW_ROWS_ORDER/],
  "an input without a column of a column's name": [
    declared('this.virtual("title", { as: "text" });'),
    /FW_VIRTUAL_TAKEN/,
  ],
  "rows whose resource the portal does not serve": [
    {
      "packages/admin_portal/config/routes.ts": edited(permitFiles, "packages/admin_portal/config/routes.ts", [
        "routes.registerResource(Owner);",
        "",
      ]),
    },
    /FW_ROWS_UNREGISTERED: ParcelDefinition.*Owner/,
  ],
  "rows of rows of rows": [
    {
      "app/models/owner.ts": edited(permitFiles, "app/models/owner.ts", [
        "parcel: belongsTo()",
        'parcel: belongsTo(), sites: hasMany({ foreignKey: "permit_id" })',
      ]),
      "app/definitions/owner_definition.ts": permitFiles["app/definitions/parcel_definition.ts"]!.replaceAll(
        "Parcel",
        "Owner",
      )
        .replaceAll("parcel.ts", "owner.ts")
        .replace('"owners", { fields: ["name"] }', '"sites", { fields: ["street"] }'),
      "app/definitions/parcel_definition.ts": edited(permitFiles, "app/definitions/parcel_definition.ts", [
        '["name"]',
        '["name", "sites"]',
      ]),
    },
    /FW_ROWS_DEPTH/,
  ],
};

describe("Declarations of rows", (it) => {
  for (const [what, [files, message]] of Object.entries(wrong))
    it(`${what}: refused at boot, in a sentence that says what to do`, async () => {
      const problem = await openPermits({}, files).then(
        async (app) => app.close().then(() => "it booted"),
        (error: Error) => error.message,
      );
      assert.match(problem, message);
    });
});
