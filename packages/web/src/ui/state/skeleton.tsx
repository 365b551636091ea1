import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Grid, Stack } from '../layout/layout.tsx'
import styles from './skeleton.module.css'

/** A grey shape of the size of what is to come, so that nothing moves when it does. */
const Shape = ({ kind }: { readonly kind: 'title' | 'line' | 'cover' }): ReactNode => (
  <div className={styles.shape} data-kind={kind} />
)

/** While a page of covers is on its way. */
export const CoverGridSkeleton = ({ count = 18 }: { readonly count?: number }): ReactNode => {
  const { t } = useTranslation()
  return (
    <Grid gap={4} min="cover" aria-busy="true" aria-label={t('loading')} role="status">
      {Array.from({ length: count }, (_, index) => (
        <Stack gap={2} key={index}>
          <Shape kind="cover" />
          <Shape kind="line" />
        </Stack>
      ))}
    </Grid>
  )
}

/** While shelves are on their way: of the size of what will stand there. */
export const ShelvesSkeleton = ({ shelves = 3 }: { readonly shelves?: number }): ReactNode => {
  const { t } = useTranslation()
  return (
    <Stack gap={5} aria-busy="true" aria-label={t('loading')} role="status">
      <Shape kind="title" />
      {Array.from({ length: shelves }, (_, shelf) => (
        <Stack gap={4} key={shelf} className={styles.shelf}>
          <Shape kind="title" />
          <div className={styles.row}>
            {Array.from({ length: 12 }, (_, index) => (
              <Stack gap={2} key={index}>
                <Shape kind="cover" />
                <Shape kind="line" />
                <Shape kind="line" />
              </Stack>
            ))}
          </div>
        </Stack>
      ))}
    </Stack>
  )
}

/** While a page of any other kind is on its way. */
export const PageSkeleton = (): ReactNode => {
  const { t } = useTranslation()
  return (
    <Stack gap={4} aria-busy="true" aria-label={t('loading')} role="status" className={styles.lines}>
      <Shape kind="title" />
      <Shape kind="line" />
      <Shape kind="line" />
      <Shape kind="line" />
    </Stack>
  )
}
