import { Model } from "framewright/plugins/database";

export default class Admin extends Model("admins") {}
