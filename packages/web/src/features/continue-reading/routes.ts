import { readHome } from '@carrel/api'
import { createRoute, redirect } from '@tanstack/react-router'
import { basePath } from '../../api/base.ts'
import { readAnew } from '../../api/queries.ts'
import { signedIn } from '../../frame/layouts.tsx'
import { paths } from '../../navigation/paths.ts'

/** An address for shortcuts on phones and desktops: it leads to the page that was open last, or home. */
export const continueReading = createRoute({
  getParentRoute: () => signedIn,
  path: '/continue',
  beforeLoad: async () => {
    const { continueReading: begun } = await readAnew(readHome, { query: { limit: 1 } })
    const [book] = begun
    if (!book) throw redirect({ href: paths.home(), replace: true })
    // The reader is another document.
    throw redirect({ href: basePath + paths.read(book.id), reloadDocument: true, replace: true })
  },
})
