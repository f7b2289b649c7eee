import {
  type BaseModel,
  belongsTo,
  type Database,
  hasMany,
  hasOne,
  Model,
  type ModelClass,
  Schema,
  typesFile,
  type ValidationError,
} from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

type Found = BaseModel & Record<string, unknown>;

/** Remarks on posts and photos; of the posts some are articles. */
function models() {
  class Post extends Model("posts") {
    static override inheritance = "type";
    static override associations = {
      remarks: hasMany({ as: "subject", dependent: "destroy" }),
      taggings: hasMany({ as: "taggable", dependent: "destroy" }),
      tags: hasMany({ through: "taggings" }),
    };
  }
  class Article extends Post {}
  class Photo extends Model("photos") {
    static override associations = {
      remarks: hasMany({ as: "subject", dependent: "nullify" }),
      caption: hasOne({ class: "Remark", as: "subject", dependent: "restrict" }),
      taggings: hasMany({ as: "taggable", dependent: "destroy" }),
    };
  }
  class Remark extends Model("remarks") {
    static override associations = { subject: belongsTo({ polymorphic: ["Post", "Photo"] }) };
    static override validations = { text: { uniqueness: { scope: "subject" } } };
  }
  class Tag extends Model("tags") {
    static override associations = { taggings: hasMany(), posts: hasMany({ through: "taggings", source: "post" }) };
  }
  class Tagging extends Model("taggings") {
    static override associations = {
      tag: belongsTo(),
      taggable: belongsTo({ polymorphic: ["Post", "Photo"] }),
      post: belongsTo({ foreignKey: "taggable_id" }),
    };
  }
  const all: Record<string, unknown> = { Article, Photo, Post, Remark, Tag, Tagging };
  return { Post, Article, Photo, Remark, Tag, Tagging, all: all as Record<string, ModelClass> };
}
type Made = { database: Database } & ReturnType<typeof models>;

async function createTables(fresh: Fresh): Promise<void> {
  const schema = new Schema((await fresh.open()).knex);
  await schema.createTable("posts", (t) => {
    t.id();
    t.string("type");
    t.string("title");
  });
  await schema.createTable("photos", (t) => {
    t.id();
    t.string("title");
  });
  await schema.createTable("remarks", (t) => {
    t.id();
    t.string("text");
    t.polymorphic("subject");
  });
  await schema.createTable("tags", (t) => {
    t.id();
    t.string("name");
  });
  await schema.createTable("taggings", (t) => {
    t.id();
    t.belongsTo("tag", { null: false });
    t.polymorphic("taggable", { null: false });
  });
}

/** A post, an article and a photo, all with the same ids in their tables, each with a remark of its name. */
async function fill(fresh: Fresh): Promise<Made> {
  await createTables(fresh);
  const made = models();
  const database = await fresh.open(made.all);
  for (const [cls, title] of [
    [made.Post, "post"],
    [made.Article, "article"],
    [made.Photo, "photo"],
    [made.Photo, "second photo"],
  ] as const) {
    const record = await database.insert(cls as never, { title });
    await database.related(record, "remarks").insert({ text: `on ${title}` } as never);
  }
  return { database, ...made };
}
const texts = (found: unknown): unknown[] => (found as Found[]).map(({ text }) => text).sort();
const refusalOf = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    await run();
  } catch (error) {
    return (error as Error).message;
  }
  return assert.unreachable("it was accepted") as never;
};

eachDatabase("Polymorphic associations", (it) => {
  it("A has-many finds and writes the records that refer to its own model alone", async (fresh) => {
    const { database, Post, Article, Photo } = await fill(fresh);
    const rows = await database.knex("remarks").select("text", "subject_type", "subject_id").orderBy("id");
    assert.equal(
      rows.map(({ text, subject_type, subject_id }) => [text, subject_type, Number(subject_id)]),
      [
        ["on post", "Post", 1],
        ["on article", "Post", 2],
        ["on photo", "Photo", 1],
        ["on second photo", "Photo", 2],
      ],
    );
    const of = async (cls: unknown, id: number) => {
      const record = (await database.query(cls as never).findById(id)) as unknown as BaseModel;
      return texts(await database.related(record, "remarks"));
    };
    assert.equal(await of(Post, 1), ["on post"]);
    assert.equal(await of(Article, 2), ["on article"]);
    assert.equal(await of(Photo, 2), ["on second photo"]);
    const fetched = (await database.query(Photo).withGraphFetched("remarks").orderBy("id")) as unknown as Found[];
    assert.equal(
      fetched.map(({ remarks }) => texts(remarks)),
      [["on photo"], ["on second photo"]],
    );
    const joined = await database
      .query(Photo)
      .joinRelated("remarks" as never)
      .where("remarks.text", "on photo");
    assert.is(joined.length, 1);
    const nobody = await database
      .query(Photo)
      .joinRelated("remarks" as never)
      .where("remarks.text", "on post");
    assert.is(nobody.length, 0);
  });

  it("A record finds what it refers to, as its own class, by one query for each model; null for what is gone", async (fresh) => {
    const { database, Remark, Photo, Article } = await fill(fresh);
    await database.knex("photos").where({ id: 2 }).delete();
    await database.insert(Remark as never, { text: "on nothing" });
    const remarks = (await database.read(database.query(Remark).orderBy("id"), ["subject"])) as unknown as Found[];
    const subjects = remarks.map(({ subject }) => (subject as Found | null)?.title ?? null);
    assert.equal(subjects, ["post", "article", "photo", null, null]);
    assert.instance(remarks[1]!.subject, Article);
    assert.instance(remarks[2]!.subject, Photo);
    const first = await database.readFirst(database.query(Remark).where("text", "on photo"), ["subject"]);
    assert.is(((first as unknown as Found).subject as Found).title, "photo");
  });

  it("Deleting a record does what its dependent says, to its own records alone", async (fresh) => {
    const { database, Post, Photo } = await fill(fresh);
    const remove = async (cls: unknown, id: number) => {
      const record = (await database.query(cls as never).findById(id)) as unknown as BaseModel;
      await database.transaction((transaction) => record.$query(transaction).delete());
    };
    await remove(Post, 1);
    assert.equal(texts(await database.knex("remarks")), ["on article", "on photo", "on second photo"]);
    await remove(Photo, 1); // nullified before restrict looks
    const left = await database.knex("remarks").where("text", "on photo").first();
    assert.equal([left.subject_type, left.subject_id], [null, null]);
  });

  it("A has-many goes through rows that refer to several models", async (fresh) => {
    const { database, Post, Photo, Tag } = await fill(fresh);
    const tag = await database.insert(Tag as never, { name: "new" });
    const [post] = (await database.query(Post).where("id", 1)) as unknown as BaseModel[];
    const [photo] = (await database.query(Photo).where("id", 2)) as unknown as BaseModel[];
    await database.related(post!, "tags").relate(tag.$id() as never);
    await database.related(photo!, "taggings").insert({ tag_id: tag.$id() } as never);
    const rows = await database.knex("taggings").select("taggable_type", "taggable_id").orderBy("id");
    assert.equal(
      rows.map((row) => `${row.taggable_type}/${row.taggable_id}`),
      ["Post/1", "Photo/2"],
    );
    assert.is((await database.related(post!, "tags")).length, 1);
    const [second] = (await database.query(Post).where("id", 2)) as unknown as BaseModel[];
    assert.is((await database.related(second!, "tags")).length, 0, "the photo of the same id has the tag");
  });

  it("A model that is not listed is refused, as are rules that look at half of a reference", async (fresh) => {
    const { database, Remark } = await fill(fresh);
    const insert = (values: object) => refusalOf(() => database.insert(Remark as never, values));
    assert.match(await insert({ text: "a", subject_type: "Tag", subject_id: 1 }), /subject|Subject/);
    assert.match(await insert({ text: "on post", subject_type: "Post", subject_id: 1 }), /taken|already/i);
    await database.insert(Remark as never, { text: "on post", subject_type: "Photo", subject_id: 1 });
  });

  it("Half a reference is refused, and one to a record that does not exist", async (fresh) => {
    const { database, Remark } = await fill(fresh);
    for (const values of [{ subject_type: "Post" }, { subject_id: 1 }, { subject_type: "Photo", subject_id: 3 }]) {
      const error = (await database
        .insert(Remark as never, { text: "half", ...values })
        .catch((one) => one)) as ValidationError;
      assert.equal(Object.keys(error.problems ?? {}), ["subject"], JSON.stringify(values));
    }
  });

  it("The written types know each model that it may be", async (fresh) => {
    const { database } = await fill(fresh);
    const types = typesFile(database.models());
    assert.match(types, 'subject: One<"posts"> | One<"photos">;');
    assert.match(types, 'subject_type: "Post" | "Photo" | null;');
  });

  it("What can't be a polymorphic association is refused by name", async (fresh) => {
    await createTables(fresh);
    const opening = (declared: object, others: Record<string, unknown> = {}) => {
      const { Post, Article, Photo, Tag, Tagging } = models();
      class Remark extends Model("remarks") {
        static override associations = { subject: declared } as never;
      }
      return refusalOf(() => fresh.open({ Post, Article, Photo, Tag, Tagging, Remark, ...others } as never));
    };
    assert.match(await opening(belongsTo({ polymorphic: [] })), 'association "subject" of "Remark" names no model');
    assert.match(await opening(belongsTo({ polymorphic: ["Pots"] })), 'Did you mean "Post"');
    assert.match(await opening(belongsTo({ polymorphic: ["Article"] })), 'Name "Post"');
    assert.match(await opening(belongsTo({ polymorphic: ["Post"], class: "Post" })), "has a class as well");
    assert.match(await opening(belongsTo({ polymorphic: ["Post"], foreignKey: "text" })), "does not end in _id");
    assert.match(
      await opening(belongsTo({ polymorphic: ["Post"], foreignKey: "thing_id" })),
      '"thing_id" is not there',
    );
    assert.match(await opening(belongsTo({ polymorphic: ["Photo"] })), 'lists "Post"');
    class Loose extends Model("photos") {
      static override associations = { remarks: hasMany({ as: "subject" }) };
    }
    const { Photo: _, ...rest } = models().all;
    assert.match(await refusalOf(() => fresh.open({ ...rest, Photo: Loose } as never)), /Add dependent: "destroy"/);
    class Far extends Model("tags") {
      static override associations = {
        taggings: hasMany(),
        things: hasMany({ through: "taggings", source: "taggable" }),
      };
    }
    assert.match(await refusalOf(() => fresh.open({ ...models().all, Tag: Far } as never)), "which is polymorphic");
  });
});
