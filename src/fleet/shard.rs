//! A part of a fleet, so that several machines can share the work.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The part `2/4` of a fleet: each target is in exactly one part, by its name alone. So the parts need not know of each
/// other, and no target moves to another part because one is added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Shard {
    /// Which part it is, counted from 1.
    pub index: u32,
    /// How many parts there are.
    pub count: u32,
}

impl Shard {
    /// Returns whether a target is in this part.
    pub fn holds(self, name: &str) -> bool {
        let hash = Sha256::digest(name.as_bytes());
        let number = hash
            .iter()
            .take(8)
            .fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        number % u64::from(self.count.max(1)) + 1 == u64::from(self.index)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if index >= 1 && index <= count => Ok(Self { index, count }),
            Some(_) => Err("the first number is from 1 to the second, as in 2/4".to_owned()),
            None => Err("write which part of how many, as in 2/4".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(count: u32) -> Vec<Shard> {
        (1..=count).map(|index| Shard { index, count }).collect()
    }

    #[test]
    fn each_target_is_in_exactly_one_part_and_no_part_has_far_more_than_its_share() {
        for count in [1, 2, 3, 7, 16] {
            let mut sizes = vec![0_u32; count as usize];
            for i in 0..1600 {
                let name = format!("prod/tenant_{i}");
                let holders: Vec<Shard> = parts(count).into_iter().filter(|shard| shard.holds(&name)).collect();
                assert_eq!(holders.len(), 1, "{name}");
                sizes[holders[0].index as usize - 1] += 1;
            }
            let fair = 1600 / count;
            assert!(
                sizes.iter().all(|size| *size > fair / 2 && *size < fair * 2),
                "{sizes:?}"
            );
        }
    }

    #[test]
    fn the_part_of_a_name_never_changes() {
        // Machines of other releases share a fleet with this one.
        let of = |name: &str| {
            parts(8)
                .into_iter()
                .find(|shard| shard.holds(name))
                .map(|shard| shard.index)
        };
        let digest = Sha256::digest(b"prod/notification");
        assert_eq!(of("prod/notification"), Some(u32::from(digest[7] % 8) + 1));
    }

    #[test]
    fn a_part_is_written_as_two_numbers() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, count: 4 }));
        assert_eq!(
            "4/4".parse::<Shard>().map(|shard| shard.to_string()),
            Ok("4/4".to_owned())
        );
        for text in ["", "2", "0/4", "5/4", "0/0", "a/4", "-1/4", "1/4/4", " 1/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
