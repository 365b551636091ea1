import { useRouter } from '@tanstack/react-router'
import { goTo } from '../../navigation/go-to.ts'

/** Keys and buttons that lead somewhere use it; whatever can be a link is one. */
export const useGoTo = (): ((href: string) => () => void) => {
  const router = useRouter()
  return (href) => () => goTo(router, href)
}
