import { useRouter } from '@tanstack/react-router'
import { goTo } from '../go-to.ts'

/** For keys and buttons that lead somewhere; what can be a link is one. */
export const useGoTo = (): ((href: string) => () => void) => {
  const router = useRouter()
  return (href) => () => goTo(router, href)
}
