import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_COMMENTS_OPTION: (model: string, given: string) =>
    `static comments of ${model} is ${given}. Write static comments = true, or static comments = { internal: true } where comments may be hidden from those who do not change its records.`,
  FW_COMMENTS_TABLE: () =>
    `the tables "framewright_comments" and "framewright_comment_followers" do not exist, and plugins.config.ts has comments(). Run: fw generate fw:install comments, then fw db:migrate`,
});
