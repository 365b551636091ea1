import type { ErrorReply, Outcome, RateLimitReply } from '@carrel/api'

/** The body of a call that went well; one that did not fails the test with what the server said. */
export const bodyOf = <Reply>(outcome: Outcome<Reply>): Reply => {
  if (!outcome.ok) throw new Error(`${outcome.status}: ${JSON.stringify(outcome.error)}`)
  return outcome.body
}

/** The error of a call that was refused. */
export const errorOf = (outcome: Outcome<unknown>): ErrorReply | RateLimitReply => {
  if (outcome.ok) throw new Error(`Expected a refusal, got ${outcome.status}: ${JSON.stringify(outcome.body)}`)
  return outcome.error
}
