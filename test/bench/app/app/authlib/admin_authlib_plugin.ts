import { AuthlibBase, features, login, logout } from "framewright/plugins/authlib";
import type Admin from "../models/admin.ts";

export default class AdminAuthlibPlugin extends features(AuthlibBase, [login(), logout()]) {}

declare module "framewright/plugins/authlib" {
  interface Accounts {
    admin: Admin;
  }
}
