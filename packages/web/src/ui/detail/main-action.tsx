import type { ComponentType, ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import type { LinkProps } from '../layout/frame.tsx'
import { Row, Text } from '../layout/layout.tsx'
import styles from './main-action.module.css'
import { useScrolledDown } from './use-scrolled-down.ts'

export interface MainActionText {
  readonly to: string
  readonly label: string
  /** Where it leads to exactly: a volume, a page. */
  readonly at?: string | undefined
}

interface MainActionProps extends MainActionText {
  readonly link: ComponentType<LinkProps>
}

/** What most people came for, in the colour of the work. */
export const MainAction = ({ link, to, label, at }: MainActionProps): ReactNode => (
  <Row as={link} inline gap={2} justify="center" to={to} className={styles.main} data-is-main>
    <Icon name="play" size="small" />
    <Text as="span" lines={1}>
      {label}
    </Text>
    {at === undefined ? null : (
      <Text as="span" lines={1} className={styles.at}>
        {at}
      </Text>
    )}
  </Row>
)

/** It keeps the first place among the actions, so that the others stay as quiet as they are beside one. */
export const NoMainAction = (): ReactNode => <span hidden />

/** The same on a phone: always within reach of a thumb, but while somebody scrolls on. */
export const ReachedAction = (props: MainActionProps): ReactNode => (
  <div className={styles.reach} data-is-away={useScrolledDown()}>
    <MainAction {...props} />
  </div>
)
