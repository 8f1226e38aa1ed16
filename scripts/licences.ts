import { writeFileSync } from "node:fs";
import { LICENCES_FILE, licenceList } from "./lib/licences";

/** `npm run licences`: writes the list of licences, docs/licences.md. */
writeFileSync(LICENCES_FILE, licenceList());
console.log("Written to docs/licences.md");
