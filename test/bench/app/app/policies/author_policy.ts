import { Policy } from "framewright/plugins/resources";

export default class AuthorPolicy extends Policy {
  override canRead() {
    return true;
  }
  override permittedAttributesForRead() {
    return ["name"];
  }
}
