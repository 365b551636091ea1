import { Button, Radio } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { Cover } from '../../ui/cover/cover.tsx'
import { Columns, Grid, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import styles from './group-card.module.css'

interface LabelledValue {
  readonly name: string
  readonly value: string
}

interface MemberShown {
  readonly id: string
  readonly title: string
  readonly to: string
  readonly picture: string
  /** The order is the same for all members, so that they can be compared. */
  readonly values: readonly LabelledValue[]
}

interface GroupCardProps {
  readonly title: string
  readonly members: readonly MemberShown[]
  readonly mayChange: boolean
  readonly isBusy: boolean
  /** It says what passes to the entry that stays. */
  readonly hint: string
  readonly onDismiss: () => void
  readonly onMerge: (into: string) => void
}

/** Members side by side; where they differ is marked, and one of them is the one to stay. */
export const GroupCard = (props: GroupCardProps): ReactNode => {
  const { title, members, mayChange, isBusy, hint, onDismiss, onMerge } = props
  const { t } = useTranslation('duplicates')
  const [chosen, setChosen] = useState<string>()
  const into = members.find(({ id }) => id === chosen) ?? members[0]
  return (
    <Stack as="section" gap={4} box pad={4} className={styles.group} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <Grid gap={3} min={15}>
        {members.map((member, index) => (
          <Columns
            gap={3}
            rowGap={1}
            pad={3}
            key={member.id}
            className={styles.member}
            data-stays={member.id === into?.id}
          >
            <div className={styles.cover}>
              <Cover src={member.picture} alt="" isFirst={index < 4} />
            </div>
            <AppLink to={member.to} className={styles.name}>
              {member.title}
            </AppLink>
            <Values members={members} of={member} />
            {mayChange ? (
              <Radio
                label={t('stays')}
                aria-label={t('staysOf', { title: member.title, number: index + 1 })}
                checked={member.id === into?.id}
                onChange={() => setChosen(member.id)}
              />
            ) : null}
          </Columns>
        ))}
      </Grid>
      {mayChange && into ? (
        <Row gap={2} wrap className={styles.foot}>
          <Text quiet size={13} className={styles.hint}>
            {hint}
          </Text>
          <Button variant="default" disabled={isBusy} onClick={onDismiss}>
            {t('dismiss')}
          </Button>
          <Button loading={isBusy} onClick={() => onMerge(into.id)}>
            {t('merge')}
          </Button>
        </Row>
      ) : null}
    </Stack>
  )
}

const Values = ({ members, of }: Pick<GroupCardProps, 'members'> & { readonly of: MemberShown }): ReactNode => (
  <Stack as="dl" gap="hair" className={styles.values}>
    {of.values.map(({ name, value }, index) => (
      <Row
        gap={2}
        rowGap={0}
        align="stretch"
        wrap
        key={name}
        className={styles.value}
        data-differs={differs(members, index)}
      >
        <dt>{name}</dt>
        <dd>
          {value}
          {differs(members, index) ? <span className={styles.mark}> ≠</span> : null}
        </dd>
      </Row>
    ))}
  </Stack>
)

const differs = (members: readonly MemberShown[], position: number): boolean =>
  new Set(members.map(({ values }) => values[position]?.value)).size > 1
