import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from './link.tsx'
import { paths } from './paths.ts'

interface WayOutProps {
  /** Absent: everything that is there. */
  readonly to?: string
  readonly label?: string
}

/** The button of an empty place, which leads to where there is something. */
export const WayOut = ({ to = paths.seriesList(), label }: WayOutProps): ReactNode => {
  const { t } = useTranslation()
  return (
    <Button component={AppLink} to={to} variant="light" radius="xl">
      {label ?? t('lookAround')}
    </Button>
  )
}
