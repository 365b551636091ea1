import { createRootRoute, Outlet, redirect } from '@tanstack/react-router'
import { basePath } from '../api/base.ts'
import { paths } from '../navigation/paths.ts'
import { enter, isSignedOut } from './enter.ts'

/**
 * The reader has a document of its own: it needs a signed-in user, the sign-in is a page of the app, and the reader
 * uses the whole screen.
 */
export const readerRoot = createRootRoute({
  component: Outlet,
  beforeLoad: ({ location }) =>
    enter().catch((error: unknown) => {
      const href = basePath + paths.signIn({ from: location.href })
      throw isSignedOut(error) ? redirect({ href, reloadDocument: true }) : error
    }),
})
