import {
  belongsTo,
  type Database,
  hasMany,
  Model,
  type Rules,
  Schema,
  type ValidationError,
} from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

interface Stay {
  begins: string | null;
  until: string | null;
  email: string | null;
  phone: string | null;
}
const stayRules = {
  until: {
    custom: (until: string | null, { begins }: Stay) =>
      until && begins && until < begins ? "is before it begins" : undefined,
  },
  email: { custom: (email: string | null, { phone }: Stay) => (email || phone ? undefined : "or a phone is needed") },
} as Record<string, Rules>;

async function stays(fresh: Fresh) {
  class Stay extends Model("stays") {
    static override validations = stayRules;
  }
  class Guest extends Model("guests") {
    static override associations = { stays: hasMany() };
  }
  const first = await fresh.open();
  const schema = new Schema(first.knex);
  await schema.createTable("guests", (t) => {
    t.id();
    t.string("name");
  });
  await schema.createTable("stays", (t) => {
    t.id();
    t.date("begins");
    t.date("until");
    t.string("email");
    t.string("phone");
    t.string("note");
    t.belongsTo("guest");
  });
  const db = await fresh.open({ Stay, Guest });
  return { db, Stay, Guest };
}

async function people(fresh: Fresh, validations: Record<string, object>) {
  class User extends Model("users") {}
  class Team extends Model("teams") {}
  class Membership extends Model("memberships") {
    static override associations = { user: belongsTo(), team: belongsTo() };
    static override validations = validations as Record<string, Rules>;
  }
  const first = await fresh.open();
  const schema = new Schema(first.knex);
  for (const table of ["users", "teams"])
    await schema.createTable(table, (t) => {
      t.id();
      t.string("name");
    });
  await schema.createTable("memberships", (t) => {
    t.id();
    t.belongsTo("user");
    t.belongsTo("team");
    t.string("nick");
    t.integer("price_cents");
  });
  const db = await fresh.open({ User, Team, Membership });
  for (const name of ["a", "b"]) {
    await db.query(User).insert({ name });
    await db.query(Team).insert({ name });
  }
  return { db, schema, Membership };
}

const problems = async (run: () => unknown): Promise<Record<string, string[]>> =>
  ((await throwsCode("FW_INVALID", run)) as unknown as ValidationError).fields;
const taken = ["has already been taken"];

eachDatabase("A validation across fields", (it) => {
  it("A validation across fields sees the resulting record, by whichever of nine writes it is changed", async (fresh) => {
    const { db, Stay, Guest } = await stays(fresh);
    const guest = await db.query(Guest).insert({ name: "Ada" });
    const values = { begins: "2026-01-10", until: "2026-01-20", phone: "1", email: null, guest_id: guest.$id() };
    const stay = await db.query(Stay).insert(values as object);
    const id = stay.$id() as number;
    const early = { until: ["is before it begins"] };
    const past = { until: "2020-01-01" } as object;
    const writes: (() => unknown)[] = [
      () => stay.$query().patch(past),
      () => stay.$query().patchAndFetch(past),
      () => db.query(Stay).findById(id).patch(past),
      () => db.query(Stay).where({ phone: "1" }).patch(past),
      () => db.query(Stay).patchAndFetchById(id, past),
      () => db.related(guest, "stays").patch(past),
      () => db.query(Guest).upsertGraph({ id: guest.$id(), stays: [{ id, ...past }] } as object),
      () => db.transaction((trx) => db.query(Stay, trx).findById(id).patch(past)),
      () => stay.$query().patch({ begins: "2026-02-01" } as object), // the rule stands at the other field
    ];
    for (const write of writes) assert.equal(await problems(write), early);
    assert.equal(await problems(() => stay.$query().patch({ phone: null } as object)), {
      email: ["or a phone is needed"],
    });
    await stay.$query().patch({ email: null, until: "2026-01-11" } as object);
    const part = (await db.query(Stay).select("id").findById(id))!;
    assert.equal(await problems(() => part.$query().patch(past)), early);
    assert.is(((await db.query(Stay).findById(id)) as unknown as Stay).until, "2026-01-11");
  });

  it("A record that violates a validation may be changed in other fields", async (fresh) => {
    const { db, Stay } = await stays(fresh);
    await db.knex("stays").insert({ begins: "2026-01-10", until: "2020-01-01", phone: "1" });
    const stay = (await db.query(Stay).first())!;
    await stay.$query().patch({ note: "kept" } as object);
    await problems(() => stay.$query().patch({ until: "2019-01-01" } as object));
  });
});

/** What is reported of a record when another one with the same values was inserted after its rules were checked. */
async function late(db: Database, Membership: Awaited<ReturnType<typeof people>>["Membership"]) {
  const values = { user_id: 1, team_id: 1, nick: "n" };
  class Late extends Membership {
    override async $beforeInsert(context: never) {
      await super.$beforeInsert(context);
      await (context as { transaction: typeof db.knex }).transaction("memberships").insert(values);
    }
  }
  db.register("Late", Late as never, "late.ts");
  await db.link();
  return problems(() => db.query(Late as never).insert(values as never));
}

eachDatabase("Uniqueness of associations", (it) => {
  it("Uniqueness of an association is checked when its key or any column of its scope changes", async (fresh) => {
    const { db, Membership } = await people(fresh, { user: { uniqueness: { scope: "team_id" } } });
    await db.query(Membership).insert({ user_id: 1, team_id: 1 } as object);
    assert.equal(await problems(() => db.query(Membership).insert({ user_id: 1, team_id: 1 } as object)), {
      user: taken,
    });
    const other = await db.query(Membership).insert({ user_id: 1, team_id: 2 } as object);
    const id = other.$id() as number;
    assert.equal(await problems(() => other.$query().patch({ team_id: 1 } as object)), { user: taken });
    assert.equal(
      await problems(() =>
        db
          .query(Membership)
          .findById(id)
          .patch({ team_id: 1 } as object),
      ),
      { user: taken },
    );
    await other.$query().patch({ team_id: 2, nick: "x" } as object);
    await db
      .query(Membership)
      .where({ nick: "x" })
      .patch({ user_id: 1 } as object);
  });

  it("A unique index violated in a race is reported at the validated field with the validation's message", async (fresh) => {
    const rule = { uniqueness: { scope: ["user", "nick"], message: "is theirs" } };
    const { db, schema, Membership } = await people(fresh, { team: rule });
    await schema.addIndex("memberships", ["user_id", "team_id", "nick"], { unique: true });
    assert.equal(await late(db, Membership), { team: ["is theirs"] });
  });

  for (const [columns, what] of [
    [["team_id", "user_id", "nick"], "more columns than the rule"],
    [["user_id"], "fewer columns than the rule"],
  ] as const)
    it(`An index of ${what} is reported at the rule's field`, async (fresh) => {
      const { db, schema, Membership } = await people(fresh, { user: { uniqueness: { scope: "team_id" } } });
      await schema.addIndex("memberships", columns, { unique: true });
      assert.equal(await late(db, Membership), { user: taken });
    });

  it("An index of an expression is reported at a column of it", async (fresh) => {
    if (fresh.name === "mysql") return; // MariaDB has none
    const { db, Membership } = await people(fresh, { nick: { uniqueness: { scope: "team" } } });
    await db.knex.raw("create unique index one_nick on memberships (team_id, lower(nick))");
    assert.equal(await late(db, Membership), { nick: taken });
  });

  it("FW_UNIQUENESS_COLUMN names the model and a scope that is no column", async (fresh) => {
    for (const scope of ["tem", "stays"]) {
      const error = await throwsCode("FW_UNIQUENESS_COLUMN", () => people(fresh, { user: { uniqueness: { scope } } }));
      assert.match(error.message, new RegExp(`"Membership".*"${scope}"`));
    }
  });
});
