import { createContext } from "react";
import type { Uuid } from "~/domain/shared/model";

/** The logged-in user, whose queue receives files. The shell sets it. */
export const UploadPerson = createContext<Uuid | null>(null);
