import { createRootRoute, Outlet, redirect } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { basePath } from '../api/base.ts'
import { paths } from '../navigation/paths.ts'
import { enter, isSignedOut } from './enter.ts'
import { usePalette } from './use-palette.ts'

/** A book, and over it what leads elsewhere: closed again, one is where one was. */
const ReaderFrame = (): ReactNode => {
  const field = useRef<HTMLElement>(null)
  const { frame, Palette, typed, onClose } = usePalette([])
  return (
    <>
      <Outlet />
      {frame === undefined || Palette === undefined ? null : <Palette {...{ frame, field, onClose }} {...typed} />}
    </>
  )
}

/**
 * The reader has a document of its own: it needs a signed-in user, the sign-in is a page of the app, and the reader
 * uses the whole screen.
 */
export const readerRoot = createRootRoute({
  component: ReaderFrame,
  beforeLoad: ({ location }) =>
    enter().catch((error: unknown) => {
      const href = basePath + paths.signIn({ from: location.href })
      throw isSignedOut(error) ? redirect({ href, reloadDocument: true }) : error
    }),
})
