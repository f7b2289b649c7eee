import { type MysqlColumn, mysqlColumnInfos } from "../../../plugins/database/drivers/mysql/introspect.ts";
import { assert, describe } from "../../support/index.ts";

const row = (name: string, type: string, dflt: string | null, extra = ""): MysqlColumn => ({
  ...{ name, type, dflt, extra },
  ...{ nullable: "YES", key: "" },
});
const defaultsOf = (columns: readonly MysqlColumn[], created: readonly string[]) => {
  const text = ["CREATE TABLE `items` (", ...created.map((line) => `  ${line},`), ") ENGINE=InnoDB"].join("\n");
  const infos = mysqlColumnInfos(columns, { created: text, references: [], uniques: [] });
  return Object.fromEntries(infos.map(({ name, default: value, hasDefault }) => [name, hasDefault ? [value] : []]));
};

describe("The defaults of columns, as servers list them", (it) => {
  it("MySQL 8 lists the default of a document as an expression, which is read back as the document", () => {
    const extra = "DEFAULT_GENERATED";
    const found = defaultsOf(
      [
        row("settings", "json", String.raw`_utf8mb4\'{}\'`, extra),
        row("tags", "json", String.raw`_utf8mb4\'[1, 2]\'`, extra),
        row("nasty", "json", String.raw`_utf8mb4\'{"quote":"it\\\'s \\\\"so\\\\"","text":"Ã¼"}\'`, extra),
        row("state", "json", String.raw`_utf8mb4\'"draft"\'`, extra),
        row("made", "json", "json_array()", extra),
        row("none", "json", null),
      ],
      [
        "`settings` json NOT NULL DEFAULT (_utf8mb4'{}')",
        "`tags` json DEFAULT (_utf8mb4'[1, 2]') COMMENT 'was DEFAULT (_utf8mb4\\'[]\\')'",
        String.raw`${"`nasty`"} json DEFAULT (_utf8mb4'{"quote":"it\'s \\"so\\"","text":"ü"}')`,
        "`state` json DEFAULT (_utf8mb4'\"draft\"')",
        "`made` json DEFAULT (json_array())",
        "`none` json DEFAULT NULL",
      ],
    );
    assert.equal(found, {
      settings: [{}],
      tags: [[1, 2]],
      nasty: [{ quote: 'it\'s "so"', text: "ü" }],
      state: ["draft"],
      made: [undefined],
      none: [],
    });
  });

  it("MySQL 8 lists other expressions alike: a text is a default, what the server computes has no value", () => {
    const extra = "DEFAULT_GENERATED";
    const found = defaultsOf(
      [
        row("note", "text", String.raw`_utf8mb4\'a\\nb\'`, extra),
        row("token", "char(36)", "uuid()", extra),
        row("at", "datetime(3)", "CURRENT_TIMESTAMP(3)", extra),
        row("plain", "varchar(20)", "draft"),
        row("rank", "int", "4"),
      ],
      [
        String.raw`${"`note`"} text DEFAULT (_utf8mb4'a\nb')`,
        "`token` char(36) DEFAULT (uuid())",
        "`at` datetime(3) DEFAULT CURRENT_TIMESTAMP(3)",
        "`plain` varchar(20) DEFAULT 'draft'",
        "`rank` int DEFAULT '4'",
      ],
    );
    assert.equal(found, { note: ["a\nb"], token: [undefined], at: [undefined], plain: ["draft"], rank: [4] });
  });

  it("MariaDB lists the same defaults as SQL", () => {
    const found = defaultsOf(
      [
        row("settings", "longtext", `'{"quote":"it\\'s"}'`),
        row("tags", "longtext", "'[]'"),
        row("plain", "varchar(20)", "'draft'"),
        row("at", "datetime(3)", "current_timestamp(3)"),
        row("none", "longtext", "NULL"),
      ],
      [
        '`settings` longtext DEFAULT \'{"quote":"it\\\'s"}\' CHECK (json_valid(`settings`))',
        "`tags` longtext DEFAULT '[]' CHECK (json_valid(`tags`))",
        "`plain` varchar(20) DEFAULT 'draft'",
        "`at` datetime(3) DEFAULT current_timestamp(3)",
        "`none` longtext DEFAULT NULL CHECK (json_valid(`none`))",
      ],
    );
    assert.equal(found, {
      settings: [{ quote: "it's" }],
      tags: [[]],
      plain: ["draft"],
      at: [undefined],
      none: [],
    });
  });
});
