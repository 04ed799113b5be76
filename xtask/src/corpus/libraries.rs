//! The list of libraries.

/// Headers that are drafted together.
pub(super) struct Library {
    pub package: &'static str,
    /// The options of `fishplate init`.
    pub arguments: Vec<String>,
}

impl Library {
    /// The headers, as users name them.
    pub fn headers(&self) -> String {
        let own = self.arguments.iter().take_while(|argument| !argument.starts_with('-'));
        own.map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// All of them; `multiarch` is the folder of this machine's libraries.
pub(super) fn all(multiarch: &str) -> Vec<Library> {
    let lines = include_str!("libraries.txt").lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (package, arguments) = line.split_once(' ')?;
            let arguments = arguments.replace("$MULTIARCH", multiarch);
            Some(Library {
                package,
                arguments: arguments.split_whitespace().map(str::to_owned).collect(),
            })
        })
        .collect()
}
