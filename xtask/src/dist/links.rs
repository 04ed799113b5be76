//! Links of a Markdown page, for a reader who does not have the files next to it.
//!
//! An index of packages shows the README alone: a link to `docs/python.md` leads nowhere there.

/// The public copy of the repository, as links name it.
pub(crate) struct Address {
    /// `https://HOST/OWNER/NAME`, without a slash at the end.
    pub repository: String,
    /// The tag or commit that the links show.
    pub revision: String,
}

impl Address {
    /// The address of a file or folder, which may have an anchor.
    pub(crate) fn of(&self, target: &str, is_folder: impl Fn(&str) -> bool) -> String {
        let path = target.split('#').next().unwrap_or(target);
        let view = if is_folder(path) { "tree" } else { "blob" };
        format!("{}/{view}/{}/{target}", self.repository, self.revision)
    }
}

/// The page with relative links as absolute ones; without an address, as plain text. Blocks of code stay as they are.
pub(crate) fn make_absolute(
    page: &str,
    address: Option<&Address>,
    is_folder: impl Fn(&str) -> bool,
) -> String {
    let mut made = String::with_capacity(page.len());
    for (number, block) in page.split("```").enumerate() {
        if number > 0 {
            made.push_str("```");
        }
        // Every other block is code.
        if number % 2 == 1 {
            made.push_str(block);
        } else {
            made.push_str(&rewrite(block, address, &is_folder));
        }
    }
    made
}

fn rewrite(text: &str, address: Option<&Address>, is_folder: &impl Fn(&str) -> bool) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(middle) = rest.find("](") {
        let Some(length) = rest[middle..].find(')') else { break };
        let (target, end) = (&rest[middle + 2..middle + length], middle + length + 1);
        made.push_str(&rest[..middle]);
        match address {
            _ if !is_relative(target) => made.push_str(&rest[middle..end]),
            Some(address) => made.push_str(&format!("]({})", address.of(target, is_folder))),
            None => {
                if let Some(start) = made.rfind('[') {
                    made.remove(start);
                }
            }
        }
        rest = &rest[end..];
    }
    made + rest
}

/// A link to a file of the repository: not to another site, nor into the page itself.
fn is_relative(target: &str) -> bool {
    !target.starts_with('#') && !target.contains("://") && !target.starts_with("mailto:")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "See [the\npages](docs/a.md#b), [a folder](examples/x), [here](#top) and \
                        [there](https://b.test/c).\n```c\nx[i](docs/a.md);\n```\n[MIT](LICENSE-MIT)\n";

    #[test]
    fn links_name_the_repository() {
        let address =
            Address { repository: "https://host.test/me/f".to_owned(), revision: "v1".to_owned() };
        assert_eq!(
            make_absolute(PAGE, Some(&address), |path| path == "examples/x"),
            "See [the\npages](https://host.test/me/f/blob/v1/docs/a.md#b), \
             [a folder](https://host.test/me/f/tree/v1/examples/x), [here](#top) and \
             [there](https://b.test/c).\n```c\nx[i](docs/a.md);\n```\n\
             [MIT](https://host.test/me/f/blob/v1/LICENSE-MIT)\n"
        );
    }

    #[test]
    fn links_without_an_address_are_text() {
        assert_eq!(
            make_absolute(PAGE, None, |_| false),
            "See the\npages, a folder, [here](#top) and [there](https://b.test/c).\n\
             ```c\nx[i](docs/a.md);\n```\nMIT\n"
        );
    }

    /// The README itself, with whatever links it has today.
    #[test]
    fn the_readme_has_no_relative_link_left() {
        let root = crate::place::root();
        let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
        let address = Address { repository: "https://host.test/f".into(), revision: "v1".into() };
        let page = make_absolute(&readme, Some(&address), |path| root.join(path).is_dir());
        let prefix = "](https://host.test/f/";
        let mut links = 0;
        for (at, _) in page.match_indices(prefix) {
            let target = page[at + prefix.len()..].split([')', '#']).next().expect("a target");
            let (view, path) = target.split_once("/v1/").expect("a view and a path");
            let there = root.join(path);
            assert!(if view == "tree" { there.is_dir() } else { there.is_file() }, "{target}");
            links += 1;
        }
        assert!(links > 20, "{links}");
        let plain = make_absolute(&readme, None, |_| false);
        assert!(!plain.contains("](docs/"), "{plain}");
    }
}
