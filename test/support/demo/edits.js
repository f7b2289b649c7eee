// What a developer changes by hand in generated files: a text that stands there once, and what to put in its place.

/** Before the first migration: the other side of the associations, and what values there are. */
export const modelEdits = {
  "app/models/organization.ts": [
    [
      '= { organization_users: hasMany(), users: hasMany({ through: "organization_users" }) };',
      `= {
    organization_users: hasMany(),
    users: hasMany({ through: "organization_users" }),
    posts: hasMany({ class: "Blogging::Post", dependent: "restrict" }),
  };
  static override enums = { plan: ["free", "team", "business"] };`,
    ],
  ],
  "app/models/user.ts": [
    [
      'profile: hasOne({ class: "UserProfile" })',
      `profile: hasOne({ class: "UserProfile" }),
    posts: hasMany({ class: "Blogging::Post", foreignKey: "author_id", dependent: "restrict" })`,
    ],
  ],
  "packages/blogging/app/models/blogging/category.ts": [
    ["import { Model }", "import { hasMany, Model, type Query }"],
    [
      "  static override validations",
      `  static override associations = { posts: hasMany({ dependent: "nullify" }) };
  /** Categories are for all tenants. */
  static override scopes = { associatedWithOrganization: (query: Query<Category>) => query };
  static override validations`,
    ],
  ],
  "packages/blogging/app/models/blogging/post.ts": [
    ["import { belongsTo, Model }", "import { belongsTo, hasMany, Model, type Query }"],
    [
      "    organization: belongsTo(),",
      '    organization: belongsTo(),\n    comments: hasMany({ dependent: "destroy" }),',
    ],
    [
      "{ title: { presence: true } };",
      `{ title: { presence: true, length: { maximum: 120 } } };
  static override enums = { status: ["draft", "in_review", "published", "archived"] };
  static override scopes = {
    published: (query: Query<Post>) => query.where("status", "published"),
    in_review: (query: Query<Post>) => query.where("status", "in_review"),
    drafts: (query: Query<Post>) => query.where("status", "draft"),
  };`,
    ],
  ],
  "packages/blogging/app/models/blogging/comment.ts": [
    ["import { belongsTo, Model }", "import { belongsTo, hasOne, Model }"],
    ["post: belongsTo() };", 'post: belongsTo(), organization: hasOne({ through: "post" }) };'],
    [
      "{ body: { presence: true } };",
      `{ body: { presence: true } };

  override toLabel(): string {
    const body = this.body ?? "";
    return body.length > 48 ? \`\${body.slice(0, 47).trimEnd()}…\` : body || super.toLabel();
  }`,
    ],
  ],
};

/** How people sign in, where that is not as it was generated. */
export const accountEdits = {
  "app/authlib/admin_authlib_plugin.ts": [
    ["  otp({ required: true }),", "  otp({ required: false }), // so that the demo can be looked at without a phone"],
  ],
};

const policy = (portal, name) => `packages/${portal}/app/policies/${portal}/${name}_policy.ts`;

const listOf = (names) => JSON.stringify(names).replaceAll(",", ", ");
/** Lists fewer attributes than there are. */
const closing = /\n\}\n$/;
const listShows = (list, names) => [
  closing,
  `
  override permittedAttributesFor${list}() {
    return ${listOf(names)} as const;
  }
}
`,
];
const indexShows = (names) => listShows("Index", names);
const readShows = (names) => listShows("Read", names);
/** Imports the type of queries, and what else is not there. */
const withImports = (...lines) => [
  "import ResourcePolicy",
  `${['import type { Query } from "framewright/plugins/database";', ...lines].join("\n")}\nimport ResourcePolicy`,
];

const withIcon = (name) => ["  override configure()", `  override icon = "${name}";\n\n  override configure()`];

function scopeTabs() {
  return `    super.configure();
    this.scope("published");
    this.scope("in_review");
    this.scope("drafts");`;
}

/** Read only. */
const partnersRead = [
  "declare readonly user: User;",
  `declare readonly user: User;
    override canCreate() {
      return false;
    }`,
];

/** Members change each other by actions; administrators, who are no members, by a form. */
const administratorsWrite = [
  closing,
  `
  override canCreate() {
    return this.user !== undefined;
  }
}
`,
];

/** When the portals are there: how things are asked for and shown, who sees what, and what can be done. */
const declares = (plugins, lines) => [
  ["import ", `${plugins.map((name) => `import type {} from "framewright/plugins/${name}";\n`).join("")}import `],
  ["    super.configure();", `    super.configure();\n${lines.map((line) => `    ${line}\n`).join("")}`.trimEnd()],
];
/** Posts as a board of their states. */
const board = 'this.board({ by: "status", card: { facts: ["author", "due_on"] }, limits: { in_review: 10 } });';

export const portalEdits = {
  "app/controllers/home_controller.ts": [["locals: { portals,", "locals: { origin: request.origin, portals,"]],
  // An API carries its version in its path.
  "config/routes.ts": [['{ at: "/api" }', '{ at: "/api/v1" }']],
  "packages/partner_portal/app/policies/partner_portal/resource_policy.ts": [partnersRead],
  [policy("partner_portal", "blogging/post")]: [
    readShows(["title", "category", "author", "published_at", "body"]),
    indexShows(["title", "category", "published_at"]),
    withImports('import type Post from "#packages/blogging/app/models/blogging/post.ts";'),
    [
      closing,
      `
  override relationScope(query: Query<Post>) {
    return query.where("status", "published");
  }
}
`,
    ],
  ],
  [policy("partner_portal", "blogging/category")]: [readShows(["name", "description"])],
  "packages/blogging/app/definitions/blogging/post_definition.ts": [
    withIcon("article"),
    [
      "import ResourceDefinition",
      'import PublishPost from "#packages/blogging/app/interactions/blogging/publish_post.ts";\nimport ResourceDefinition',
    ],
    [
      'models/blogging/post.ts";',
      'models/blogging/post.ts";\nimport { contains } from "framewright/plugins/resources";',
    ],
    [
      "    super.configure();",
      `    super.configure();
    this.input("body", { as: "markdown", hint: "Markdown is welcome." });
    this.field("fee", { label: "Writer’s fee", currency: "EUR" });
    this.display("status", { tones: { published: "success", in_review: "warning", archived: "neutral", draft: "info" } });
    this.search((query, term) => query.where((any) => contains(any, "title", term)).orWhere((any) => contains(any, "body", term)), { reads: ["title", "body"] });
    this.filter("status");
    this.action("publish", {
      interaction: PublishPost,
      icon: "send",
      confirmation: "The post will be shown to its readers.",
      collectionRecordAction: false,
      condition: ({ record }) => (record as Post | undefined)?.status !== "published",
    });`,
    ],
  ],
  "packages/blogging/app/definitions/blogging/comment_definition.ts": [
    withIcon("message"),
    ["    super.configure();", '    super.configure();\n    this.search(["body"]);'],
  ],
  "packages/blogging/app/policies/blogging/post_policy.ts": [
    [
      "  override permittedAttributesForCreate()",
      "  canPublish() {\n    return this.canUpdate();\n  }\n  override permittedAttributesForCreate()",
    ],
  ],
  "app/definitions/user_definition.ts": [
    ["  override configure()", `  override icon = "user";\n  override group = "People";\n\n  override configure()`],
    ["    super.configure();", '    super.configure();\n    this.search(["name"]);'],
  ],
  "packages/blogging/app/definitions/blogging/category_definition.ts": [withIcon("tag")],
  "app/definitions/organization_definition.ts": [
    withIcon("building"),
    ["    super.configure();", '    super.configure();\n    this.field("website", { as: "url" });'],
  ],
  "app/definitions/organization_user_definition.ts": [withIcon("users")],
  // The public portal: published posts. That guests change nothing goes without saying.
  [policy("public_portal", "blogging/post")]: [
    readShows(["title", "category", "author", "published_at", "body"]),
    indexShows(["title", "category", "author", "published_at", "body"]),
    withImports(),
    [
      closing,
      `
  override relationScope(query: Query<Post>) {
    return query.where("status", "published");
  }
}
`,
    ],
  ],
  [policy("public_portal", "blogging/comment")]: [
    readShows(["body", "author", "post", "created_at"]),
    withImports('import Comment from "#packages/blogging/app/models/blogging/comment.ts";'),
    [
      closing,
      `
  override relationScope(query: Query<Comment>) {
    return query.whereExists(Comment.relatedQuery("post").where("status", "published"));
  }
}
`,
    ],
  ],
  [policy("public_portal", "blogging/category")]: [readShows(["name", "description"])],
  "packages/public_portal/app/definitions/public_portal/blogging/post_definition.ts": [
    ["    super.configure();", '    super.configure();\n    this.defaultSort("-published_at");'],
    ...declares(["articles"], ["this.article();"]),
  ],
  // The admin portal.
  [policy("admin_portal", "blogging/post")]: [indexShows(["title", "status", "author", "fee", "published_at"])],
  [policy("admin_portal", "blogging/comment")]: [indexShows(["body", "author", "post", "created_at"])],
  [policy("admin_portal", "blogging/category")]: [
    [
      "extends ResourcePolicy(FeatureCategoryPolicy) {",
      `extends ResourcePolicy(FeatureCategoryPolicy) {
  override canImport() {
    return this.canCreate();
  }`,
    ],
  ],
  [policy("admin_portal", "organization")]: [indexShows(["name", "plan", "website"])],
  [policy("admin_portal", "organization_user")]: [administratorsWrite],
  "packages/admin_portal/config/routes.ts": [["(OrganizationUser)", '(OrganizationUser, { label: "Member" })']],
  "packages/admin_portal/app/definitions/admin_portal/blogging/post_definition.ts": [
    ["    super.configure();", scopeTabs()],
    ...declares(["boards"], [board]),
  ],
  // The customer portal: one organization's own.
  "packages/customer_portal/app/dashboards/customer_portal/main_dashboard.ts": [
    ["  override configure()", '  override period = "12m";\n\n  override configure()'],
  ],
  [policy("customer_portal", "blogging/post")]: [indexShows(["title", "status", "author", "due_on"])],
  [policy("customer_portal", "blogging/comment")]: [indexShows(["body", "author", "post", "created_at"])],
  "packages/customer_portal/app/definitions/customer_portal/blogging/post_definition.ts": [
    ["    super.configure();", scopeTabs()],
    ...declares(["boards", "calendar"], [board, 'this.calendar({ on: "due_on" });']),
  ],
};

/** Where wizards are launched, and what waits for one. */
export const wizardEdits = {
  "packages/admin_portal/app/definitions/admin_portal/organization_definition.ts": [
    [
      'this.wizard("configure", ConfigureWizard);',
      'this.wizard("configure", ConfigureWizard, { icon: "adjustments", open: "dialog" });',
    ],
  ],
  "packages/customer_portal/app/definitions/customer_portal/blogging/post_definition.ts": [
    [
      "\nexport default",
      'import ImportWizard from "#packages/blogging/app/wizards/blogging/import_wizard.ts";\n\nexport default',
    ],
    [
      '    this.scope("published");',
      '    this.wizard("bring_in", ImportWizard, { label: "Import", icon: "file-import" });\n    this.scope("published");',
    ],
  ],
  [policy("customer_portal", "blogging/post")]: [
    [
      "extends ResourcePolicy(FeaturePostPolicy) {",
      `extends ResourcePolicy(FeaturePostPolicy) {
  canBringIn() {
    return this.canCreate();
  }`,
    ],
  ],
};
