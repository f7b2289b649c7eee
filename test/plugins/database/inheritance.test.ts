import {
  type BaseModel,
  belongsTo,
  type Database,
  hasMany,
  Model,
  type ModelClass,
  Schema,
  typesFile,
  type ValidationError,
} from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

type Values = Record<string, unknown>;
/** Posts, of which some are articles; features are articles. */
function models() {
  class Post extends Model("posts") {
    static override inheritance = "type";
    static override associations = {
      author: belongsTo({ class: "Author" }),
      comments: hasMany({ class: "Comment" }),
    };
    static override validations: Record<string, object> = { title: { presence: true } };
    kind(): string {
      return "post";
    }
  }
  class Article extends Post {
    static override validations = { title: { presence: true, length: { maximum: 10 } } };
    static override scopes = { long: (query: never) => query };
    override kind(): string {
      return "article";
    }
  }
  class Feature extends Article {}
  class Tutorial extends Post {}
  class Author extends Model("authors") {
    static override associations = {
      posts: hasMany({ class: "Post" }),
      articles: hasMany({ class: "Article", dependent: "nullify" }),
    };
  }
  class Comment extends Model("comments") {
    static override associations = {
      post: belongsTo({ class: "Post" }),
      article: belongsTo({ class: "Article", foreignKey: "post_id" }),
    };
  }
  const all: Record<string, unknown> = { Article, Author, Comment, Feature, "Deep::Tutorial": Tutorial, Post };
  return { Post, Article, Feature, Tutorial, Author, Comment, all: all as Record<string, ModelClass> };
}
type Found = BaseModel & Values & { kind(): string };
const titles = (found: unknown): unknown[] => (found as Found[]).map(({ title }) => title).sort();

async function fill(fresh: Fresh): Promise<{ database: Database } & ReturnType<typeof models>> {
  const first = await fresh.open();
  const schema = new Schema(first.knex);
  await schema.createTable("authors", (t) => {
    t.id();
    t.string("name");
  });
  await schema.createTable("posts", (t) => {
    t.id();
    t.string("type");
    t.string("title");
    t.belongsTo("author", { table: "authors" });
  });
  await schema.createTable("comments", (t) => {
    t.id();
    t.string("body");
    t.belongsTo("post", { table: "posts" });
  });
  const made = models();
  const database = await fresh.open(made.all);
  await database.insert(made.Author as never, { name: "Ada" });
  const rows: [unknown, string][] = [
    [made.Post, "post"],
    [made.Article, "article"],
    [made.Feature, "feature"],
    [made.Tutorial, "tutorial"],
  ];
  for (const [cls, title] of rows) await database.insert(cls as never, { title, author_id: 1 });
  await database.knex("posts").insert({ title: "old", author_id: 1, type: null });
  for (const id of [1, 2, 3]) await database.insert(made.Comment as never, { body: `on ${id}`, post_id: id });
  return { database, ...made };
}

eachDatabase("Single-table inheritance", (it) => {
  it("A class finds its records and those of classes below it, each as its own class", async (fresh) => {
    const { database, Post, Article, Feature, Tutorial } = await fill(fresh);
    const all = (await database.query(Post)) as unknown as Found[];
    assert.equal(titles(all), ["article", "feature", "old", "post", "tutorial"]);
    const classes = new Map(all.map((one) => [one.title, one.constructor]));
    assert.equal([...classes.values()].length, 5);
    assert.is(classes.get("old"), Post);
    assert.is(classes.get("feature"), Feature);
    assert.is(classes.get("tutorial"), Tutorial);
    assert.is(all.find(({ title }) => title === "feature")!.kind(), "article");
    assert.equal(titles(await database.query(Article)), ["article", "feature"]);
    assert.equal(titles(await database.query(Feature)), ["feature"]);
    const types = (await database.knex("posts").orderBy("id").pluck("type")) as unknown;
    assert.equal(types, ["Post", "Article", "Feature", "Deep::Tutorial", null]);
  });

  it("Nothing that is called on a query of a class reaches rows of another", async (fresh) => {
    const { database, Article } = await fill(fresh);
    const query = () => database.query(Article);
    assert.equal(titles(await query().where("title", "nothing").orWhere("title", "post").orWhere("title", "article")), [
      "article",
    ]);
    assert.equal(titles(await query().where((group) => group.where("title", "x").orWhere("id", ">", 0))), [
      "article",
      "feature",
    ]);
    assert.equal(titles(await query().whereNot((group) => group.where("title", "feature"))), ["article"]);
    assert.equal(titles(await query().alias("a").where("a.id", "<", 3)), ["article"]);
    assert.is(await query().findById(1), undefined);
    assert.is((await database.readFirst(query().where("id", 1))) ?? null, null);
    assert.equal(titles(await database.read(query())), ["article", "feature"]);
    assert.equal([await database.count(query()), await query().resultSize()], [2, 2]);
    assert.is((await database.countUpTo(query(), 10)).total, 2);
    assert.equal(
      [await database.has(database.model("Article"), 1), await database.has(database.model("Article"), 3)],
      [false, true],
    );
    assert.is((await database.readByKey(database.model("Article"), 1)) ?? null, null);
    assert.is(((await database.readByKey(database.model("Post"), 3)) as Found).kind(), "article");
    assert.is(await query().patch({ title: "new" } as never), 2);
    assert.is(await query().delete().where("id", 1).orWhere("id", 4), 0);
    await database.knex("comments").delete();
    assert.is(await query().delete().where("id", ">", 2), 1);
    assert.equal(titles(await database.knex("posts")), ["new", "old", "post", "tutorial"]);
  });

  it("Associations lead to the base with all classes, and to a class with its own rows, however they are loaded", async (fresh) => {
    const { database, Author, Comment, Article } = await fill(fresh);
    const [ada] = (await database.query(Author).withGraphFetched("[posts.comments, articles.comments]")) as unknown as [
      { posts: Found[]; articles: Found[] },
    ];
    assert.equal(titles(ada.posts), ["article", "feature", "old", "post", "tutorial"]);
    assert.equal(titles(ada.articles), ["article", "feature"]);
    assert.equal(
      ada.articles.map(({ comments }) => (comments as unknown[]).length),
      [1, 1],
    );
    const [joined] = (await database.query(Author).withGraphJoined("articles")) as unknown as [{ articles: Found[] }];
    assert.equal(titles(joined.articles), ["article", "feature"]);
    assert.is(joined.articles[0]!.kind(), "article");
    const comments = (await database.read(database.query(Comment).orderBy("id"), ["post", "article"])) as unknown as {
      post: Found;
      article: Found | null;
    }[];
    assert.equal(
      comments.map(({ post, article }) => [post.kind(), article?.kind() ?? null]),
      [
        ["post", null],
        ["article", "article"],
        ["article", "article"],
      ],
    );
    const [author] = await database.query(Author);
    assert.equal(titles(await database.related(author as never, "articles")), ["article", "feature"]);
    const some = await database
      .query(Author)
      .whereExists(Author.relatedQuery("articles").where("title", "post") as never);
    assert.is(some.length, 0);
    const [article] = await database.query(Article);
    assert.is((await database.related(article as never, "comments")).length, 1);
    await throwsCode("FW_INVALID", () => author!.$query().delete()); // posts of other classes refer to it
    const owned = async () => (await database.knex("posts").whereNotNull("author_id").pluck("title")).sort();
    assert.equal(await owned(), ["article", "feature", "old", "post", "tutorial"]);
    const other = await database.query(Author).insert({ name: "Bob" } as never);
    const rest = ["old", "post", "tutorial"];
    await database.knex("posts").whereIn("title", rest).update({ author_id: other.$id() });
    await author!.$query().delete();
    assert.equal(await owned(), rest);
  });

  it("Each class has its rules, and the column takes no other names", async (fresh) => {
    const { database, Article, Post } = await fill(fresh);
    const fails = async (work: () => Promise<unknown>) =>
      work().then(
        () => undefined,
        (error: ValidationError) => error.fields,
      );
    assert.equal(await fails(() => database.insert(Article as never, { title: "much too long" })), {
      title: ["is too long (at most 10 characters)"],
    });
    const article = (await database.query(Post).findById(2)) as unknown as Found;
    assert.ok(await fails(() => article.$query().patch({ title: "much too long" } as never) as never));
    for (const type of ["Author", "Nothing", "Post"])
      assert.equal(await fails(() => database.insert(Article as never, { title: "t", type })), {
        type: ["is not included in the list"],
      });
    await database.insert(Article as never, { title: "t", type: "Feature" });
    assert.match(typesFile(database.models()), 'type: "Article" | "Feature" | "Deep::Tutorial" | "Post" | null;');
  });

  it("A row with another name is an error that names the row and the value", async (fresh) => {
    const { database, Post } = await fill(fresh);
    await database.knex("posts").where({ id: 4 }).update({ type: "Tutorail" });
    const error = await Promise.resolve(database.query(Post)).then(
      () => undefined,
      (one: Error & { code: string }) => one,
    );
    assert.is(error?.code, "FW_TYPE_UNKNOWN");
    assert.match(error!.message, /row 4 of posts has "Tutorail" in "type"/);
  });

  it("A column that isn't there, and a way through a part of a table, are refused at boot", async (fresh) => {
    await fill(fresh);
    const code = (open: () => Promise<unknown>) =>
      open().then(
        () => undefined,
        (error: { code: string }) => error.code,
      );
    class Post extends Model("posts") {
      static override inheritance = "kind";
    }
    assert.is(await code(() => fresh.open({ Post: Post as never })), "FW_MODEL_SHAPE");
    const { all, Author } = models();
    Object.assign(Author, {
      associations: { ...Author.associations, comments: hasMany({ through: "articles" }) },
    });
    assert.is(await code(() => fresh.open(all)), "FW_ASSOCIATION_PART");
  });
});
