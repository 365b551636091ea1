import { readMe, readSession, type User } from '@carrel/api'
import { lazyRouteComponent } from '@tanstack/react-router'
import { forgetPages } from '../api/early-requests.ts'
import { type Answer, ApiProblem, call } from '../api/call.ts'
import { connectionBack, connectionLost, reachesServer } from '../api/connection.ts'
import { followEvents } from '../api/event-stream.ts'
import { query, queryClient } from '../api/queries.ts'
import { loadStrings, speak } from '../text/language.ts'
import { applyOwnColourScheme } from '../session/preferences.ts'

/** A page whose code and strings are fetched, at the same time, when somebody goes there. */
export const page = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  strings: readonly string[],
) => {
  const component = lazyRouteComponent(
    async () => (await Promise.all([patiently(load), patiently(() => loadStrings(strings))]))[0],
    name,
  )
  codeOf.set(component, load)
  return component
}

const codeOf = new WeakMap<object, () => Promise<unknown>>()

/** The code of a page is fetched while the language is. What fails is asked for again by those who need it. */
export const fetchAhead = (components: readonly unknown[]): void => {
  for (const component of components)
    if (typeof component === 'function')
      codeOf
        .get(component)?.()
        .catch(() => undefined)
}

/**
 * Code that cannot be fetched because the server is away is fetched when it is back. When the server is back and has
 * this code no longer, it is a newer version: then the router reloads the page.
 */
const patiently = async <Loaded>(load: () => Promise<Loaded>): Promise<Loaded> => {
  try {
    return await load()
  } catch (error) {
    if (await reachesServer()) throw error
    connectionLost()
    await connectionBack()
    return load()
  }
}

/** The request does not fail when nobody is signed in: browsers write every failed request to their console. */
const whoAmI = async (): Promise<User> => {
  const queryFn = async (): Promise<Answer<User>> => {
    const { body, etag } = await call(readSession, {})
    if (!body.user) {
      forgetPages()
      throw new ApiProblem('not_authenticated', '')
    }
    return { body: body.user, etag }
  }
  return (await queryClient.ensureQueryData({ ...query(readMe, {}), queryFn })).body
}

/** It makes the signed-in user known to everything behind the sign-in, and opens the stream of events. */
export const enter = async (): Promise<void> => {
  const me = await whoAmI()
  followEvents(me.id)
  await speak(me.language)
  // The browser wears what it wore last; from another device it comes a moment later.
  void applyOwnColourScheme().catch(() => undefined)
}

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'not_authenticated'
