import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from './api/call.ts'
import { AppLink } from './link.tsx'
import { paths } from './paths.ts'
import { useProblemText } from './problem-text.ts'
import { EmptyState, ErrorState } from './ui/state.tsx'

/** In place of a page whose reads came to nothing, or whose code failed. */
export const PageFailed = ({ error, reset }: ErrorComponentProps): ReactNode => {
  const { t } = useTranslation()
  const textOf = useProblemText()
  const router = useRouter()
  if (error instanceof ApiProblem && error.code === 'not_found') return <PageMissing />
  const tryAgain = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <ErrorState
      title={t('page.failed')}
      text={textOf(error)}
      action={<Button onClick={tryAgain}>{t('tryAgain')}</Button>}
    />
  )
}

export const PageMissing = (): ReactNode => {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="search"
      title={t('page.notFound')}
      text={t('page.notFoundText')}
      action={
        <Button component={AppLink} to={paths.home()}>
          {t('page.toHome')}
        </Button>
      }
    />
  )
}
