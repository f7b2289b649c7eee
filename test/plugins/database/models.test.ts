import {
  belongsTo,
  type Database,
  hasMany,
  hasOne,
  Model,
  type Query,
  Schema,
  type ValidationError,
} from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

async function tables(db: Schema): Promise<void> {
  await db.createTable("organizations", (t) => {
    t.id();
    t.string("name").notNull().unique();
  });
  await db.createTable("users", (t) => {
    t.id();
    t.string("email", 40).notNull().unique();
    t.belongsTo("organization", { null: false });
  });
  await db.createTable("blogging_posts", (t) => {
    t.id();
    t.string("title").notNull();
    t.text("body");
    t.belongsTo("author", { table: "users", null: false });
    t.decimal("rating", 6, 3);
    t.boolean("archived").notNull().default(false);
    t.integer("position");
    t.date("due_on");
    t.datetime("published_at");
    t.time("opens_at");
    t.json("settings");
    t.binary("photo");
    t.uuid("token");
    t.float("score");
    t.enum("status", ["draft", "live"]).notNull().default("draft");
    t.money("price");
    t.lockVersion();
    t.timestamps();
    t.index(["author_id", "title"], { unique: true });
  });
  await db.createTable("blogging_comments", (t) => {
    t.id();
    t.belongsTo("post", { table: "blogging_posts", null: false });
    t.text("body").notNull();
  });
  await db.createTable("profiles", (t) => {
    t.id();
    t.belongsTo("user", { null: false, unique: true });
    t.string("bio");
  });
}

function models() {
  class Organization extends Model("organizations") {
    static override associations = {
      users: hasMany(),
      posts: hasMany({ through: "users" }),
      comments: hasMany({ through: "posts" }),
    };
  }
  class User extends Model("users") {
    static override associations = {
      organization: belongsTo(),
      posts: hasMany({ class: "Blogging::Post", foreignKey: "author_id" }),
      profile: hasOne(),
    };
  }
  class Profile extends Model("profiles") {
    static override associations = { user: belongsTo(), organization: hasOne({ through: "user" }) };
  }
  class Post extends Model("blogging_posts") {
    static override associations = {
      author: belongsTo({ class: "User" }),
      comments: hasMany({ dependent: "destroy" }),
      organization: hasOne({ through: "author" }),
    };
    static override money = { price: "price_cents" };
    static override defaults = { position: () => 7 };
    static override validations = {
      title: { presence: true, length: { maximum: 20 }, uniqueness: { scope: "author" }, exclusion: ["admin"] },
      position: { numericality: { greaterThan: 0, onlyInteger: true } },
    };
    static override scopes = { live: (query: Query<Post>) => query.where("status", "live") };
  }
  class Comment extends Model("blogging_comments") {
    static override associations = { post: belongsTo(), organization: hasOne({ through: "post" }) };
  }
  return { Organization, User, Profile, Post, Comment };
}

async function blog(fresh: Fresh) {
  const all = models();
  const { Organization, User, Profile, Post, Comment } = all;
  const first = await fresh.open();
  await tables(new Schema(first.knex));
  const db = await fresh.open({ Organization, User, Profile, "Blogging::Post": Post, "Blogging::Comment": Comment });
  const organization = await db.query(Organization).insert({ name: "Acme" });
  const author = await db.query(User).insert({ email: "a@b.c", organization_id: organization.$id() });
  return { db, ...all, organization, author };
}

const fieldsOf = async (run: () => unknown) =>
  ((await throwsCode("FW_INVALID", run)) as unknown as ValidationError).fields;

eachDatabase("Models", (it) => {
  it("Values are read back as they were given, with all places of decimals, defaults, timestamps and scopes", async (fresh) => {
    const { db, Post, author } = await blog(fresh);
    const at = new Date("2026-01-31T23:59:59.123Z");
    const given = {
      title: "Ärger 🚀",
      body: "x".repeat(70_000),
      author_id: author.$id(),
      rating: "12.34",
      archived: true,
      due_on: "2026-02-28",
      published_at: at,
      opens_at: "10:30:00",
      settings: { a: [1, "2", null], b: "text" },
      photo: Buffer.from([0, 255, 1]),
      token: "7b3c1b6e-1f6c-4a53-8f5e-2a1f1f0a9c11",
      score: 1.5,
      status: "live",
      price: "1234.50",
    };
    const { id } = (await db.query(Post).insert(given)) as unknown as { id: number };
    const read = (await db.query(Post).findById(id)) as unknown as Record<string, unknown>;
    assert.is(read.rating, "12.340");
    assert.is(read.archived, true);
    assert.is(read.due_on, "2026-02-28");
    assert.equal(read.published_at, at);
    assert.is(read.opens_at, "10:30:00");
    assert.equal(read.settings, given.settings);
    assert.ok(Buffer.isBuffer(read.photo));
    assert.equal([...(read.photo as Buffer)], [0, 255, 1]);
    assert.is(read.price_cents, 123450);
    assert.is(read.price, "1234.50");
    assert.is(read.position, 7);
    assert.is(read.lock_version, 0);
    assert.is(read.score, 1.5);
    assert.is(read.title, "Ärger 🚀");
    assert.ok(read.created_at instanceof Date && read.updated_at instanceof Date);
    assert.is((await db.query(Post).where("published_at", at)).length, 1);
    assert.is((await db.query(Post).where("published_at", "<", at)).length, 0);
    assert.is((await db.query(Post).modify("live")).length, 1);
    assert.is((await db.query(Post).where("title", "ärger 🚀".replace("ä", "Ä"))).length, 1);
  });

  it("Associations are fetched, joined and filtered through up to three hops", async (fresh) => {
    const { db, Organization, Post, Comment, Profile, User, organization, author } = await blog(fresh);
    const post = await db.query(Post).insert({ title: "One", author_id: author.$id() });
    await db.query(Comment).insert({ body: "hi", post_id: post.$id() });
    await db.query(Profile).insert({ bio: "me", user_id: author.$id() });
    const read = (await db
      .query(Organization)
      .findById(organization.$id())
      .withGraphFetched("[posts, comments, users.profile]")) as unknown as Record<
      string,
      { body?: string; title?: string; profile?: { bio: string } }[]
    >;
    assert.is(read.posts?.[0]?.title, "One");
    assert.is(read.comments?.[0]?.body, "hi");
    assert.is(read.users?.[0]?.profile?.bio, "me");
    const comment = (await db
      .query(Comment)
      .first()
      .withGraphFetched("[post.author, organization]")) as unknown as Record<string, Record<string, unknown>>;
    assert.is(comment.organization?.name, "Acme");
    assert.is((comment.post?.author as Record<string, unknown> | undefined)?.email, "a@b.c");
    const joined = await db.query(Comment).joinRelated("organization").where("organization.name", "Acme");
    assert.is(joined.length, 1);
    const exists = await db.query(Comment).whereExists(Comment.relatedQuery("organization").where("name", "Other"));
    assert.is(exists.length, 0);
    assert.is((await db.related(organization, "comments")).length, 1);
    const graph = (await db.query(Organization).withGraphJoined("comments")) as unknown as { comments: unknown[] }[];
    assert.is(graph[0]?.comments.length, 1);
    assert.equal(db.model("Blogging::Comment").associations.get("organization")?.hops.length, 3);
    assert.is((await db.query(User).withGraphFetched("organization"))[0]?.toLabel(), "a@b.c");
  });

  it("Invalid values are errors by field with the same messages on every database", async (fresh) => {
    const { db, Post, User, author, organization } = await blog(fresh);
    assert.equal(await fieldsOf(() => db.query(Post).insert({ title: " ", position: -1, price: "x", status: "odd" })), {
      price: ["must be an amount, such as 12.50"],
      author: ["must be chosen"],
      status: ["is not included in the list"],
      title: ["can't be blank"],
      position: ["must be greater than 0"],
    });
    assert.equal(
      await fieldsOf(() => db.query(User).insert({ email: "x".repeat(41), organization_id: organization.$id() })),
      {
        email: ["is too long (at most 40 characters)"],
      },
    );
    assert.equal(
      await fieldsOf(() =>
        db.query(Post).insert({
          title: "a",
          author_id: author.$id(),
          rating: "9999.1",
          due_on: "2026-02-30",
          published_at: "soon",
          archived: "x",
          position: "1.5",
        }),
      ),
      {
        rating: ["is out of range"],
        archived: ["must be true or false"],
        position: ["must be a whole number"],
        due_on: ["is not a date"],
        published_at: ["is not a date and time"],
      },
    );
    const post = await db.query(Post).insert({ title: "Same", author_id: author.$id() });
    assert.equal(await fieldsOf(() => db.query(Post).insert({ title: "same", author_id: author.$id() })), {
      title: ["has already been taken"],
    });
    await post.$query().patch({ title: "Same" });
    assert.equal(await fieldsOf(() => post.$query().patch({ title: "admin" })), { title: ["is reserved"] });
    assert.equal(await fieldsOf(() => post.$query().patch({ title: null })), { title: ["can't be blank"] });
  });

  it("Violated constraints of the database become errors by field", async (fresh) => {
    const { db, Post, User, author, organization, Organization } = await blog(fresh);
    assert.equal(await fieldsOf(() => db.query(User).insert({ email: "A@b.c", organization_id: organization.$id() })), {
      email: ["has already been taken"],
    });
    assert.equal(await fieldsOf(() => db.query(Post).insert({ title: "x", author_id: 999 })), {
      author: ["must be chosen"],
    });
    await db.query(Post).insert({ title: "x", author_id: author.$id() });
    assert.equal(await fieldsOf(() => db.query(User).deleteById(author.$id())), {
      base: ["can't be deleted: other records refer to it"],
    });
    assert.equal(await fieldsOf(() => organization.$query().delete()), {
      base: ["can't be deleted: other records refer to it"],
    });
    const other = await db.query(Organization).insert({ name: "Other" });
    assert.equal(await fieldsOf(() => other.$query().patch({ name: "Acme" })), { name: ["has already been taken"] });
    assert.equal(await fieldsOf(() => db.query(User).patch({ organization_id: null } as never)), {
      organization: ["must be chosen"],
    });
  });

  it("A change increments lock_version and sets updated_at, and a deletion takes its dependents along", async (fresh) => {
    const { db, Post, Comment, author } = await blog(fresh);
    const post = (await db.query(Post).insert({ title: "x", author_id: author.$id() })) as unknown as InstanceType<
      typeof Post
    > &
      Record<string, unknown>;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const before = post.updated_at as Date;
    await post.$query().patch({ title: "y" });
    assert.is(post.lock_version, 1);
    assert.ok((post.updated_at as Date) > before);
    await db.query(Post).findById(post.$id()).patch({ title: "z", price: "5" });
    const read = (await db.query(Post).findById(post.$id())) as unknown as Record<string, unknown>;
    assert.is(read.lock_version, 2);
    assert.is(read.price, "5.00");
    await db.query(Comment).insert({ body: "b", post_id: post.$id() });
    await db.transaction((trx) => post.$query(trx).delete());
    assert.is((await db.query(Comment)).length, 0);
  });

  it("FW_COLUMN_UNKNOWN names a property that is no column, with a suggestion", async (fresh) => {
    const { db, Post, author } = await blog(fresh);
    const error = await throwsCode("FW_COLUMN_UNKNOWN", () =>
      db.query(Post).insert({ titel: "x", title: "x", author_id: author.$id() }),
    );
    assert.match(error.message, /"titel".*Did you mean "title"/);
  });

  it("A failed transaction is rolled back, and FW_TRANSACTION_LOST reports a query outside of it on SQLite", async (fresh) => {
    const { db, Organization } = await blog(fresh);
    await db
      .transaction(async (trx) => {
        await db.query(Organization, trx).insert({ name: "Gone" });
        throw new Error("no");
      })
      .catch(() => undefined);
    assert.is((await db.query(Organization)).length, 1);
    if (fresh.name === "sqlite")
      await throwsCode("FW_TRANSACTION_LOST", () => db.transaction(async () => await db.query(Organization)));
    assert.is((await db.query(Organization)).length, 1);
  });
});

eachDatabase("The links of associations", (it) => {
  const cases: [code: string, fix: RegExp, associations: Record<string, ReturnType<typeof hasMany>>][] = [
    ["FW_ASSOCIATION_TARGET", /"autor" of "Thing" leads to no model; tried Autor/, { autor: belongsTo() }],
    [
      "FW_ASSOCIATION_KEY",
      /"other" of "Thing" needs the column "other_id" in "things"/,
      { other: belongsTo({ class: "Thing" }) },
    ],
    ["FW_ASSOCIATION_THROUGH", /goes through "nothing"/, { others: hasMany({ through: "nothing" }) }],
    ["FW_ASSOCIATION_CYCLE", /goes through itself/, { others: hasMany({ through: "others" }) }],
    [
      "FW_ASSOCIATION_SOURCE",
      /finds none of parts in "Thing"/,
      { thing: belongsTo(), others: hasMany({ through: "thing", source: "parts" }) },
    ],
  ];
  for (const [code, fix, associations] of cases) {
    it(`Boot fails with ${code} and names what the association lacks`, async (fresh) => {
      class Thing extends Model("things") {
        static override associations = associations;
      }
      const first: Database = await fresh.open();
      await new Schema(first.knex).createTable("things", (t) => {
        t.id();
        t.belongsTo("thing");
      });
      const error = await throwsCode(code, () => fresh.open({ Thing: Thing }));
      assert.match(error.message, fix);
    });
  }

  it("FW_TABLE_MISSING reports a model without a table when it is used, not at boot", async (fresh) => {
    class Absent extends Model("absents") {}
    const db = await fresh.open({ Absent: Absent });
    assert.not(db.model("Absent").exists);
    await throwsCode("FW_TABLE_MISSING", () => db.query(Absent));
    await throwsCode("FW_TABLE_MISSING", () => db.query(Absent).insert({ a: 1 }));
    assert.match((await throwsCode("FW_MODEL_UNKNOWN", () => db.model("Absnt"))).message, /Did you mean "Absent"/);
  });
});
