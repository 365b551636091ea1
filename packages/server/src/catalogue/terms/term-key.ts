import { fold, nameKey } from '../../platform/text/sort-key.ts'

/** Names that fold to the same are the same; one of signs only is what it is. */
export const termKey = (name: string): string => fold(name) || nameKey(name.trim())
