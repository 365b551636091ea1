/** A text or a name, in which a question mark stands for itself, or one that stands for a parameter. */
const quotedOrParameter = /'[^']*'|"[^"]*"|\?/g

/** It finds the question marks that stand for parameters. */
export const parametersIn = (sql: string): readonly string[] =>
  (sql.match(quotedOrParameter) ?? []).filter((part) => part === '?')

/**
 * With a plus before its parameters SQLite does not look at their values when it plans a statement (decision 086). It would look at
 * those of limits and of most comparisons, and because it might plan otherwise for another value, it would make the whole statement
 * anew each time that it runs, which takes longer than most statements do.
 */
export const hideValues = (sql: string): string =>
  sql.replaceAll(quotedOrParameter, (part) => (part === '?' ? '+?' : part))
